package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.ContestPlan.Work;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ContestRunnerTest {

  private static final Duration WINDOW = Duration.ofSeconds(2);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void theProcessesOfAContenderAreOne() {
    Reply.Contested one = contested(60, 500, 3e6);
    Reply.Contested other = contested(40, 400, 2e6);

    Round round = ContestRunner.summarize(WINDOW, List.of(one, other), 1e6, 103L).round();

    assertThat(round.perSecond()).isEqualTo(50);
    assertThat(round.heldShare()).isEqualTo(0.45);
    assertThat(round.clientCpuMicros()).isEqualTo(50);
    assertThat(round.serverCpuMicros()).isEqualTo(10);
    assertThat(round.lostOrders()).isEqualTo(7);
    assertThat(round.latency().maxMicros()).isBetween(499.0, 501.0);
  }

  @Test
  void ofNoAcquisitionThereIsNoShare() {
    Round round = ContestRunner.summarize(WINDOW, List.of(contested(0, 0, 3e6)), 1e6, null).round();

    assertThat(round.perSecond()).isZero();
    assertThat(round.clientCpuMicros()).isNaN();
    assertThat(round.serverCpuMicros()).isNaN();
    assertThat(round.lostOrders()).isZero();
  }

  @Test
  void pausesAreFromZeroToTwiceTheMeanAndTheSameForASeed() {
    assertThat(LongStream.of(pauses(7, true))).allMatch(it -> it >= 0 && it <= 20 * MILLI);
    assertThat(LongStream.of(pauses(7, true)).average().orElseThrow())
        .isBetween(9.5 * MILLI, 10.5 * MILLI);
    assertThat(pauses(7, true)).isEqualTo(pauses(7, true)).isNotEqualTo(pauses(8, true));
    assertThat(pauses(7, false)).containsOnly(0);
  }

  private static long[] pauses(long seed, boolean paused) {
    Command.Prepare spec =
        new Command.Prepare(Contender.FLOOR, Kind.FEW, "name", 1, 1, Work.NONE, paused, seed);
    SplittableRandom random = new SplittableRandom(seed);
    return LongStream.generate(() -> Contest.pauseNanos(spec, random)).limit(5_000).toArray();
  }

  private static Reply.Contested contested(long counted, long heldMillis, double cpuNanos) {
    Histogram times = Histograms.create();
    times.recordValue(TimeUnit.MICROSECONDS.toNanos(heldMillis));
    return new Reply.Contested(
        counted,
        counted + 5,
        Histograms.encode(times),
        TimeUnit.MILLISECONDS.toNanos(heldMillis),
        cpuNanos,
        List.of());
  }
}

package io.lockkeeper.bench.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.results.ServiceRound;
import io.lockkeeper.bench.worker.Expense;
import io.lockkeeper.bench.worker.Reply;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ServiceTurnTest {

  private static final Duration WINDOW = Duration.ofSeconds(2);

  @Test
  void theProcessesOfAContenderAreOne() {
    Reply.Served one = served(List.of(10L, 20L), 60, 500, new Expense(3e6, 100, 40_000));
    Reply.Served other = served(List.of(30L), 40, 400, new Expense(2e6, 200, 10_000));

    ServiceRound round = ServiceTurn.summarize(WINDOW, List.of(one, other), 1e6).round();

    assertThat(round.perSecond()).isEqualTo(50);
    assertThat(round.heldShare()).isEqualTo(0.45);
    assertThat(round.clientCpuMicros()).isEqualTo(50);
    assertThat(round.serverCpuMicros()).isEqualTo(10);
    assertThat(round.switches()).isEqualTo(3);
    assertThat(round.bytes()).isEqualTo(500);
    assertThat(round.least()).isEqualTo(10);
    assertThat(round.most()).isEqualTo(30);
    assertThat(round.waits().maxMicros()).isBetween(499.0, 501.0);
  }

  @Test
  void ofNoAcquisitionThereIsNoShare() {
    Reply.Served none = served(List.of(0L), 0, 0, new Expense(3e6, 100, 40_000));

    ServiceRound round = ServiceTurn.summarize(WINDOW, List.of(none), 1e6).round();

    assertThat(round.perSecond()).isZero();
    assertThat(round.clientCpuMicros()).isNaN();
    assertThat(round.serverCpuMicros()).isNaN();
    assertThat(round.switches()).isNaN();
    assertThat(round.bytes()).isNaN();
  }

  private static Reply.Served served(
      List<Long> perClient, long acquisitions, long heldMillis, Expense expense) {
    Histogram waits = Histograms.create();
    waits.recordValue(TimeUnit.MICROSECONDS.toNanos(heldMillis));
    return new Reply.Served(
        perClient,
        acquisitions,
        Histograms.encode(waits),
        TimeUnit.MILLISECONDS.toNanos(heldMillis),
        expense,
        0,
        List.of());
  }
}

package io.lockkeeper.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ServiceRow;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final int COUNT = 10_000;
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void pausesAreFromZeroToTwiceTheMeanAndNamesAreAllDrawn() {
    Schedule schedule = new Schedule(1, 10, 20);

    long[] pauses = LongStream.generate(schedule::nextPauseNanos).limit(COUNT).toArray();
    int[] names = IntStream.generate(schedule::nextName).limit(COUNT).toArray();

    LongSummaryStatistics all = LongStream.of(pauses).summaryStatistics();
    assertThat(all.getMin()).isNotNegative();
    assertThat(all.getMax()).isBetween(19 * MILLI, 20 * MILLI);
    assertThat(all.getAverage()).isBetween(9.8 * MILLI, 10.2 * MILLI);
    assertThat(IntStream.of(names).distinct().sorted())
        .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
  }

  @Test
  void aSeedRepeatsItForEveryContender() {
    Schedule one = spec(Contender.LOCKKEEPER_LOCK, 7, true).schedule(3, 0);
    Schedule same = spec(Contender.REDISSON_LOCK, 7, true).schedule(3, 0);
    Schedule otherThread = spec(Contender.LOCKKEEPER_LOCK, 7, true).schedule(4, 0);
    Schedule otherSeed = spec(Contender.LOCKKEEPER_LOCK, 8, true).schedule(4, 0);

    List<Long> pauses = pauses(one);
    assertThat(pauses(same)).isEqualTo(pauses);
    assertThat(pauses(otherThread)).isNotEqualTo(pauses);
    assertThat(pauses(otherSeed)).isNotEqualTo(pauses);
  }

  @Test
  void nobodyPausesToWarmUpAndTheRestlessNeverDo() {
    assertThat(pauses(spec(Contender.FLOOR, 1, false).schedule(0, 0))).containsOnly(0L);
    assertThat(pauses(spec(Contender.FLOOR, 1, true).schedule(20, 0))).containsOnly(0L);
    assertThat(pauses(spec(Contender.FLOOR, 1, true).schedule(19, 0))).doesNotContain(0L);
  }

  @Test
  void theClientsAreSpreadOverTheProcesses() {
    List<List<Integer>> parts =
        Stream.of(0, 1, 2)
            .map(it -> new ServiceSpec(Contender.FLOOR, ServiceRow.CROWDED, 3, it, true, 1))
            .map(ServiceSpec::clients)
            .toList();

    assertThat(parts).allSatisfy(part -> assertThat(part).hasSize(10));
    assertThat(parts.stream().flatMap(List::stream).distinct()).hasSize(30);
  }

  private static ServiceSpec spec(Contender contender, long seed, boolean paused) {
    return new ServiceSpec(contender, ServiceRow.CROWDED, 1, 0, paused, seed);
  }

  private static List<Long> pauses(Schedule schedule) {
    return Stream.generate(schedule::nextPauseNanos).limit(5).toList();
  }
}

package io.lockkeeper.lab.oversell.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WaitsTest {

  @Test
  void aHistogramSurvivesTheWayToTheCoordinator() {
    Histogram waits = Waits.empty();
    Waits.record(waits, 0);
    Waits.record(waits, TimeUnit.MILLISECONDS.toNanos(17));
    Waits.record(waits, TimeUnit.DAYS.toNanos(1)); // counted as the longest there is

    Histogram read = Waits.decode(Waits.encode(waits));

    assertThat(read).isEqualTo(waits);
    assertThat(read.getTotalCount()).isEqualTo(3);
    assertThat(TimeUnit.NANOSECONDS.toMinutes(read.getMaxValue())).isEqualTo(60);
  }
}

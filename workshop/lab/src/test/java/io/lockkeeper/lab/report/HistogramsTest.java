package io.lockkeeper.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HistogramsTest {

  @Test
  void aHistogramSurvivesTheWayToTheCoordinator() {
    Histogram waits = Histograms.create();
    Histograms.record(waits, 0);
    Histograms.record(waits, TimeUnit.MILLISECONDS.toNanos(17));
    Histograms.record(waits, TimeUnit.DAYS.toNanos(1)); // counted as the longest there is

    Histogram read = Histograms.decode(Histograms.encode(waits));

    assertThat(read).isEqualTo(waits);
    assertThat(read.getTotalCount()).isEqualTo(3);
    assertThat(TimeUnit.NANOSECONDS.toMinutes(read.getMaxValue())).isEqualTo(60);
  }
}

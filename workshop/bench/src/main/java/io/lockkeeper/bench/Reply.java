package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.lockkeeper.lab.report.Histograms;
import java.util.List;

/** What a worker answers. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
sealed interface Reply {

  record Failed(String problem) implements Reply {}

  /** It is done, and there is nothing to report. */
  record Done() implements Reply {}

  /**
   * A contest is over.
   *
   * @param counted acquisitions inside the window
   * @param total all acquisitions
   * @param histogram the measured times in nanoseconds, see {@link Histograms}
   * @param heldNanos how long locks were held inside the window, all together
   * @param cpuNanos what the window cost the process
   * @param problems what went wrong, each kind once
   */
  record Contested(
      long counted,
      long total,
      String histogram,
      long heldNanos,
      double cpuNanos,
      List<String> problems)
      implements Reply {}

  /**
   * The lock went to and fro.
   *
   * @param histogram nanoseconds from the call of unlock until the other client held the lock
   */
  record HandedOver(String histogram) implements Reply {}

  /**
   * Some clients were idle for a while.
   *
   * @param threads live threads of the process
   * @param heapBytes used heap, after garbage collection
   * @param cpuNanos processor time of the process in that while
   * @param switches how often a thread gave its processor away in that while
   */
  record Idled(int threads, long heapBytes, double cpuNanos, double switches) implements Reply {}
}

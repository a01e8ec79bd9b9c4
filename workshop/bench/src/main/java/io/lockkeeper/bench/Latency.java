package io.lockkeeper.bench;

import org.HdrHistogram.Histogram;

/** A distribution of times, in microseconds. */
record Latency(
    double p50Micros, double p90Micros, double p99Micros, double p999Micros, double maxMicros) {

  private static final double NANOS_PER_MICRO = 1e3;

  /** Summarizes a histogram of nanoseconds. */
  static Latency of(Histogram nanos) {
    return new Latency(
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(90) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO);
  }
}

package io.lockkeeper.bench;

import java.util.stream.DoubleStream;

/** The median: unlike the mean, one disturbed round does not move it. */
final class Medians {

  private Medians() {}

  /** Returns the median of {@code values}, or NaN if there is none. */
  static double of(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

package io.lockkeeper.lab.soak;

import java.util.List;

/**
 * How one figure went during the load. The first quarter is left out: classes load, the JIT
 * compiles, and caches and the server's first keys fill.
 *
 * @param early the median over the second quarter
 * @param late the median over the last quarter
 * @param most the largest after the first quarter
 */
record Trend(double early, double late, double most) {

  /** Returns the trend of a figure over time, of which there are at least four values. */
  static Trend of(List<Double> values) {
    int quarter = values.size() / 4;
    return new Trend(
        median(values.subList(quarter, 2 * quarter)),
        median(values.subList(values.size() - quarter, values.size())),
        values.subList(quarter, values.size()).stream()
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0));
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

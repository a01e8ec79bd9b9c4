package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Whole decades around some values, and where a value lies between them. */
final class LogScale {

  private final int low;
  private final int high;

  LogScale(DoubleStream values) {
    double[] positive = values.filter(value -> value > 0).toArray();
    double least = DoubleStream.of(positive).min().orElse(1);
    double most = DoubleStream.of(positive).max().orElse(1);
    low = (int) Math.floor(Math.log10(least));
    high = Math.max(low + 1, (int) Math.ceil(Math.log10(most)));
  }

  /** Returns 0 for the lower end, 1 for the upper; values below the lower end count as that. */
  double position(double value) {
    double exponent = value > 0 ? Math.log10(value) : low;
    return Math.max(0, (exponent - low) / (high - low));
  }

  /** Returns the powers of ten from end to end. */
  List<Double> decades() {
    List<Double> decades = new ArrayList<>();
    for (int exponent = low; exponent <= high; exponent++) {
      decades.add(Math.pow(10, exponent));
    }
    return decades;
  }
}

package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.shop.Books;
import io.lockkeeper.lab.report.Histograms;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What came of a load.
 *
 * @param done orders that the service answered with 200
 * @param refused orders that it did not, by what it said
 * @param times of all answers, in nanoseconds
 * @param books what the store says afterwards
 * @param samples who was inside when, at the beginnings of some half seconds
 */
record LoadResult(
    long elapsedNanos,
    long done,
    Map<String, Long> refused,
    Histogram times,
    Books books,
    List<List<Held>> samples) {

  /** Copies. */
  LoadResult {
    refused = Map.copyOf(refused);
    samples = List.copyOf(samples);
  }

  /** Nothing has been ordered. */
  static LoadResult none() {
    return new LoadResult(0, 0, Map.of(), Histograms.create(), new Books(0, 0, 0), List.of());
  }

  double ordersPerSecond() {
    return elapsedNanos == 0 ? Double.NaN : done * 1e9 / elapsedNanos;
  }

  /** Returns the time that all but one in a hundred answers did not exceed. */
  long p99Nanos() {
    return times.getValueAtPercentile(99);
  }
}

package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
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
 * @param entered how often an order was inside, which is loading where there is a cache
 */
record LoadResult(
    long elapsedNanos,
    long done,
    Map<String, Long> refused,
    Histogram times,
    Books books,
    long entered) {

  /** Nothing has been ordered. */
  static LoadResult none() {
    return new LoadResult(0, 0, Map.of(), Histograms.create(), new Books(0, 0, 0), 0);
  }

  boolean hasRun() {
    return elapsedNanos > 0;
  }

  /** Returns what is not right to the piece: sales, stock, answers, tokens. */
  List<String> faults(LoadPlan plan) {
    long expected = Math.min(plan.stock(), plan.total());
    List<String> faults = new ArrayList<>();
    if (done != plan.total()) {
      faults.add("answered " + done + " of " + plan.total() + " orders");
    }
    if (!refused.isEmpty()) {
      faults.add("refused " + refused.values().stream().mapToLong(Long::longValue).sum());
    }
    if (books.sold() != expected) {
      faults.add("sold " + books.sold() + " instead of " + expected);
    }
    if (books.stockLeft() != plan.stock() - expected) {
      faults.add("stock left " + books.stockLeft() + " instead of " + (plan.stock() - expected));
    }
    if (books.oversold(plan.stock()) != 0) {
      faults.add("oversold " + books.oversold(plan.stock()));
    }
    if (books.tokenRegressions() != 0) {
      faults.add(books.tokenRegressions() + " tokens not larger than the one before");
    }
    return faults;
  }

  double enteredPerSecond() {
    return hasRun() ? entered * 1e9 / elapsedNanos : 0;
  }

  double ordersPerSecond() {
    return elapsedNanos == 0 ? Double.NaN : done * 1e9 / elapsedNanos;
  }

  /** Returns the time that all but one in a hundred answers did not exceed. */
  long p99Nanos() {
    return times.getValueAtPercentile(99);
  }
}

package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.shop.Books;
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
 * @param samples who was inside when, at the beginnings of some half seconds
 * @param account what the instances know of it
 */
record LoadResult(
    long elapsedNanos,
    long done,
    Map<String, Long> refused,
    Histogram times,
    Books books,
    List<List<Held>> samples,
    Account account) {

  /** Copies. */
  LoadResult {
    refused = Map.copyOf(refused);
    samples = List.copyOf(samples);
  }

  /** Nothing has been ordered. */
  static LoadResult none() {
    return new LoadResult(
        0, 0, Map.of(), Histograms.create(), new Books(0, 0, 0), List.of(), Account.NONE);
  }

  /** Returns whether anything was ordered. */
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
    if (account.arrivals().violations() != 0) {
      faults.add(account.arrivals().violations() + " granted after a later arrival");
    }
    return faults;
  }

  /** Returns how often in a second an order was inside, which is loading where there is a cache. */
  double enteredPerSecond() {
    return hasRun() ? account.entered() * 1e9 / elapsedNanos : 0;
  }

  /** Returns for how long an order is inside on average, by the samples. */
  double secondsInside() {
    return samples.stream()
            .flatMap(List::stream)
            .mapToLong(held -> held.toNanos() - held.fromNanos())
            .average()
            .orElse(0)
        / 1e9;
  }

  double ordersPerSecond() {
    return elapsedNanos == 0 ? Double.NaN : done * 1e9 / elapsedNanos;
  }

  /** Returns the time that all but one in a hundred answers did not exceed. */
  long p99Nanos() {
    return times.getValueAtPercentile(99);
  }
}

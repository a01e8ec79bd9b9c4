package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.shop.Books;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table: what one strategy did.
 *
 * @param strategy which
 * @param processes in how many processes
 * @param threads how many threads in each
 * @param ordersPlanned how many orders were to be made
 * @param stock how many pieces there were at first
 * @param elapsedNanos the longest time that a process took
 * @param ordersDone orders that went through the critical section
 * @param ordersFailed orders that ended with an exception
 * @param failure the first such exception, or an empty text
 * @param givenUp how many orders the strategy gave up, by reason
 * @param waits waits before the critical section, in nanoseconds, of all processes
 * @param books what the store says
 * @param commands what it cost the store, or null if the store does not count
 * @param arrivals the check of the order, or null where none is promised
 */
public record VariantResult(
    Strategy strategy,
    int processes,
    int threads,
    long ordersPlanned,
    long stock,
    long elapsedNanos,
    long ordersDone,
    long ordersFailed,
    String failure,
    Map<String, Long> givenUp,
    Histogram waits,
    Books books,
    @Nullable CommandCount commands,
    @Nullable ArrivalCheck arrivals) {

  /** Copies. */
  public VariantResult {
    givenUp = new TreeMap<>(givenUp);
  }

  /** Returns whether it is a lock, of which overselling and losing orders is a failure. */
  public boolean isLocked() {
    return strategy.scope() == Strategy.Scope.ALL_PROCESSES
        || strategy.scope() == Strategy.Scope.ONE_PROCESS;
  }

  /** Returns whether its orders wait for anything. */
  public boolean waitsInLine() {
    return strategy.scope() != Strategy.Scope.NOBODY;
  }

  /** Returns how many orders the strategy gave up. */
  public long ordersGivenUp() {
    return givenUp.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns orders per second over all processes. */
  public double ordersPerSecond() {
    return ordersDone * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, elapsedNanos);
  }

  /** Returns the wait that this percentage of orders did not exceed, in nanoseconds. */
  public long waitNanos(double percentile) {
    return waits.getValueAtPercentile(percentile);
  }

  /** Returns how many pieces were sold that the stock does not know of. */
  public long oversold() {
    return books.oversold(stock);
  }

  /** Returns how many orders should have been sold but are not in the books. */
  public long lost() {
    return Math.max(
        0, Math.min(ordersPlanned - ordersFailed - ordersGivenUp(), stock) - books.sold());
  }

  /** Returns commands that clients sent to the store for their locks, per order, if known. */
  public OptionalDouble commandsPerOrder() {
    return commands == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(commands.sent() / (double) Math.max(1, ordersDone));
  }

  /** Returns commands that ran inside scripts, per order, if known. */
  public OptionalDouble scriptCommandsPerOrder() {
    return commands == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(commands.inScripts() / (double) Math.max(1, ordersDone));
  }

  /** Returns what went wrong although nobody promised otherwise; its size is in the columns. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (ordersFailed > 0) {
      remarks.add(ordersFailed + " orders failed, the first with " + failure);
    }
    givenUp.forEach((reason, count) -> remarks.add(count + " orders given up: " + reason));
    return remarks;
  }

  /** Returns what this strategy promised and did not keep; empty if all is well. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (isLocked()) {
      problems.addAll(remarks());
      addIf(problems, oversold(), "oversold");
      addIf(problems, lost(), "orders lost");
      addIf(problems, books.tokenRegressions(), "fencing tokens that did not grow");
    }
    if (arrivals != null) {
      addIf(problems, arrivals.violations(), "order violations");
    }
    return problems;
  }

  private static void addIf(List<String> problems, long count, String what) {
    if (count != 0) {
      problems.add(count + " " + what);
    }
  }
}

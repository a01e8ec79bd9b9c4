package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.contest.ArrivalCheck;
import io.lockkeeper.lab.oversell.contest.CommandCount;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.shop.Books;
import io.lockkeeper.lab.oversell.strategy.Strategies;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import io.lockkeeper.lab.report.Histograms;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Rows for tests: 1,000 orders of two processes in two seconds, on a stock of 1,000. */
public final class Rows {

  private static final long ORDERS = 1_000;

  private Rows() {}

  /** Returns a row whose books say this. */
  public static VariantResult row(String strategy, long stockLeft, long sold) {
    return row(strategy, new Books(stockLeft, sold, 0), 0, 0);
  }

  /** Returns a row. */
  public static VariantResult row(String name, Books books, long failed, long violations) {
    Strategy strategy = Strategies.find(name).orElseThrow();
    Histogram waits = Histograms.create();
    for (int i = 1; i <= ORDERS; i++) {
      waits.recordValue(TimeUnit.MICROSECONDS.toNanos(i * 100L));
    }
    return new VariantResult(
        strategy,
        2,
        5,
        ORDERS,
        ORDERS,
        TimeUnit.SECONDS.toNanos(2),
        ORDERS - failed,
        failed,
        failed == 0 ? "" : "java.lang.IllegalStateException: broken",
        Map.of(),
        waits,
        books,
        new CommandCount(2 * ORDERS, 5 * ORDERS),
        strategy.keepsOrderOfArrival() ? new ArrivalCheck(ORDERS, ORDERS, violations) : null);
  }

  /** Returns a row of a store that does not count commands, with orders given up. */
  public static VariantResult givenUp(String name, long orders, String reason) {
    VariantResult row = row(name, 0, ORDERS - orders);
    return new VariantResult(
        row.strategy(),
        row.processes(),
        row.threads(),
        row.ordersPlanned(),
        row.stock(),
        row.elapsedNanos(),
        row.ordersDone() - orders,
        0,
        "",
        Map.of(reason, orders),
        row.waits(),
        new Books(orders, ORDERS - orders, 0),
        null,
        null);
  }
}

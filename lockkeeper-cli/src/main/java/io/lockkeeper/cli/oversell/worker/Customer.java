package io.lockkeeper.cli.oversell.worker;

import io.lockkeeper.cli.oversell.shop.Article;
import io.lockkeeper.cli.oversell.shop.Till;
import io.lockkeeper.cli.oversell.strategy.Guard;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One thread's worth of orders. Its counts are its own while it runs; whoever reads them afterwards
 * has joined the thread first, except for {@link #done()}, which may be a little behind.
 */
final class Customer implements Runnable {

  /** A customer to whom this happens so often does not come back. */
  private static final int MAX_FAILURES = 3;

  private final Guard guard;
  private final Till till;
  private final Article article;
  private final int orders;
  private final BooleanSupplier goesOn;
  private final Histogram waits = Waits.empty();

  private final AtomicLong done = new AtomicLong(); // one writer
  private long soldOut;
  private long failed;
  private @Nullable Throwable failure;

  Customer(Guard guard, Till till, Article article, int orders, BooleanSupplier goesOn) {
    this.guard = guard;
    this.till = till;
    this.article = article;
    this.orders = orders;
    this.goesOn = goesOn;
  }

  @Override
  public void run() {
    int failures = 0;
    for (int i = 0; i < orders && goesOn.getAsBoolean(); i++) {
      try {
        order();
        done.incrementAndGet();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
        if (++failures == MAX_FAILURES) {
          failed += orders - i;
          return;
        }
        failed++;
      }
    }
  }

  private void order() throws InterruptedException {
    long begin = System.nanoTime();
    long token = guard.enter();
    Waits.record(waits, System.nanoTime() - begin);
    try {
      long left = till.stockLeft(article);
      if (left > 0) {
        till.sell(article, left - 1, token);
      } else {
        soldOut++;
      }
    } finally {
      guard.exit();
    }
  }

  long done() {
    return done.get();
  }

  long soldOut() {
    return soldOut;
  }

  long failed() {
    return failed;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  Histogram waits() {
    return waits;
  }
}

package io.lockkeeper.lab.oversell.worker;

import io.lockkeeper.lab.oversell.strategy.OrderLostException;
import io.lockkeeper.lab.oversell.strategy.Sale;
import io.lockkeeper.lab.oversell.strategy.Seller;
import io.lockkeeper.lab.report.Histograms;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One thread's worth of orders. Its counts are its own while it runs; a thread that reads them
 * joins this one first, except for {@link #done()}, which may be a little behind.
 */
final class Customer implements Runnable {

  /** After so many failures a customer does not come back. */
  private static final int MAX_FAILURES = 3;

  private final Seller seller;
  private final int orders;
  private final BooleanSupplier goesOn;
  private final Histogram waits = Histograms.create();
  private final Map<String, Long> givenUp = new TreeMap<>();

  private final AtomicLong done = new AtomicLong(); // one writer
  private long soldOut;
  private long failed;
  private @Nullable Throwable failure;

  Customer(Seller seller, int orders, BooleanSupplier goesOn) {
    this.seller = seller;
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
      } catch (OrderLostException e) {
        givenUp.merge(e.reason(), 1L, Long::sum);
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

  private void order() throws InterruptedException, OrderLostException {
    long begin = System.nanoTime();
    Sale sale = seller.order();
    Histograms.record(waits, sale.turnNanos() - begin);
    if (!sale.sold()) {
      soldOut++;
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

  /** Returns how many orders the strategy gave up, by reason. */
  Map<String, Long> givenUp() {
    return givenUp;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  Histogram waits() {
    return waits;
  }
}

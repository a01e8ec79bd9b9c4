package io.lockkeeper.cli.oversell.worker;

import io.lockkeeper.cli.oversell.shop.Article;
import io.lockkeeper.cli.oversell.shop.Till;
import io.lockkeeper.cli.oversell.strategy.Guard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * All threads of one worker ordering one article: they start together, and it waits for the last.
 */
final class Round {

  private final Guard guard;
  private final Till till;
  private final List<Customer> customers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ready;
  private final CountDownLatch start = new CountDownLatch(1);
  private final long warmUpNanos;
  private final long readsBefore;
  private final long salesBefore;
  private volatile long startNanos;

  Round(ToWorker.Prepare plan, Guard guard, Till till, Random random) {
    this.guard = guard;
    this.till = till;
    this.warmUpNanos = plan.warmUpMillis() * 1_000_000;
    this.readsBefore = till.reads();
    this.salesBefore = till.sales();
    this.ready = new CountDownLatch(plan.threads());
    BooleanSupplier goesOn = isWarmUp() ? this::isTimeLeft : () -> true;
    int orders = isWarmUp() ? Integer.MAX_VALUE : plan.orders();
    for (int i = 0; i < plan.threads(); i++) {
      Customer customer = new Customer(guard, till, new Article(plan.article()), orders, goesOn);
      customers.add(customer);
      threads.add(new Thread(() -> startAndRun(customer), "customer-" + (i + 1)));
    }
    Collections.shuffle(threads, random);
  }

  private boolean isWarmUp() {
    return warmUpNanos > 0;
  }

  private boolean isTimeLeft() {
    return System.nanoTime() - startNanos < warmUpNanos;
  }

  private void startAndRun(Customer customer) {
    ready.countDown();
    try {
      start.await();
    } catch (InterruptedException e) {
      return; // the worker ends
    }
    customer.run();
  }

  /** Returns when all threads stand at the start. */
  void prepare() throws InterruptedException {
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
    ready.await();
  }

  /** Lets them run and returns when the last has ended. */
  FromWorker.Finished run() throws InterruptedException {
    startNanos = System.nanoTime();
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return finished(System.nanoTime() - startNanos);
  }

  /** Returns how many orders are done so far. */
  long done() {
    return customers.stream().mapToLong(Customer::done).sum();
  }

  private FromWorker.Finished finished(long elapsedNanos) throws InterruptedException {
    Histogram waits = Waits.empty();
    customers.forEach(customer -> waits.add(customer.waits()));
    String failure =
        customers.stream()
            .map(Customer::failure)
            .filter(Objects::nonNull)
            .findFirst()
            .map(Throwable::toString)
            .orElse("");
    return new FromWorker.Finished(
        elapsedNanos,
        done(),
        customers.stream().mapToLong(Customer::soldOut).sum(),
        customers.stream().mapToLong(Customer::failed).sum(),
        failure,
        till.reads() - readsBefore,
        till.sales() - salesBefore,
        Waits.encode(waits),
        isWarmUp() ? List.of() : guard.grants(Math.toIntExact(done())));
  }
}

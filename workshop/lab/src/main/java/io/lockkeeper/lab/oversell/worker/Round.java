package io.lockkeeper.lab.oversell.worker;

import io.lockkeeper.lab.oversell.strategy.Seller;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * All threads of one worker ordering one article: they start together, and it waits for the last.
 */
final class Round {

  private final Seller seller;
  private final List<Customer> customers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ready;
  private final CountDownLatch start = new CountDownLatch(1);
  private final long warmUpNanos;
  private volatile long startNanos;

  Round(ToWorker.Prepare plan, Seller seller, Random random) {
    this.seller = seller;
    this.warmUpNanos = plan.warmUpMillis() * 1_000_000;
    this.ready = new CountDownLatch(plan.threads());
    BooleanSupplier goesOn = isWarmUp() ? this::isTimeLeft : () -> true;
    int orders = isWarmUp() ? Integer.MAX_VALUE : plan.orders();
    for (int i = 0; i < plan.threads(); i++) {
      Customer customer = new Customer(seller, orders, goesOn);
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
    Histogram waits = Histograms.create();
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
        givenUp(),
        Histograms.encode(waits),
        isWarmUp() ? List.of() : seller.grants(Math.toIntExact(done())));
  }

  private Map<String, Long> givenUp() {
    Map<String, Long> sums = new TreeMap<>();
    for (Customer customer : customers) {
      customer.givenUp().forEach((reason, count) -> sums.merge(reason, count, Long::sum));
    }
    return sums;
  }
}

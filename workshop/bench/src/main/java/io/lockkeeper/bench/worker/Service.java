package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/** The threads of a turn of services in this process. */
final class Service {

  private final Problems problems = new Problems();
  private final Witness witness;

  /** The threads of each client that is measured. */
  private final List<List<Caller>> measured = new ArrayList<>();

  private final List<Caller> all = new ArrayList<>();

  /**
   * Prepares the threads.
   *
   * @param clients as many as {@link ServiceSpec#clients()}
   */
  Service(ServiceSpec spec, List<LockClient> clients) {
    witness = new Witness(spec.row().names() == 1 ? 1 : Integer.MAX_VALUE);
    List<String> names = spec.names();
    for (int i = 0; i < clients.size(); i++) {
      int client = spec.clients().get(i);
      List<Caller> callers = new ArrayList<>();
      for (int thread = 0; thread < spec.row().threads(); thread++) {
        callers.add(
            new Caller(
                clients.get(i),
                spec.contender(),
                names,
                spec.schedule(client, thread),
                spec.row().holdMillis(),
                witness,
                problems));
      }
      all.addAll(callers);
      if (client < spec.row().clients()) {
        measured.add(callers);
      }
    }
  }

  /** Runs the threads, from now to the end of the window, and measures what is inside it. */
  Reply.Served run(long startNanos, long endNanos) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (Caller caller : all) {
      caller.setWindow(startNanos, endNanos);
      Thread thread = new Thread(() -> runUntil(end, caller), "caller-" + threads.size());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    Sleep.until(startNanos);
    Meter meter = new Meter();
    Sleep.until(endNanos);
    Expense expense = meter.read();
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return served(expense);
  }

  /** Keeps the thread after its work: of one that has ended it is not known what it used. */
  private static void runUntil(CountDownLatch end, Caller caller) {
    caller.run();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply.Served served(Expense expense) {
    Histogram waits = Histograms.create();
    measured.forEach(client -> client.forEach(caller -> waits.add(caller.waits())));
    return new Reply.Served(
        measured.stream().map(it -> it.stream().mapToLong(Caller::counted).sum()).toList(),
        all.stream().mapToLong(Caller::counted).sum(),
        Histograms.encode(waits),
        all.stream().mapToLong(Caller::heldNanos).sum(),
        expense,
        witness.overlaps(),
        problems.list());
  }
}

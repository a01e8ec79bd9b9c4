package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The threads of one contest in this process. */
final class Contest {

  private final Problems problems = new Problems();
  private final List<Caller> callers = new ArrayList<>();

  /** Prepares the threads. */
  Contest(ContestSpec spec, List<LockClient> clients, Runnable work) {
    for (int i = 0; i < spec.threads(); i++) {
      LockClient client = clients.get(i % clients.size());
      callers.add(new Caller(client, spec, i, work, problems));
    }
  }

  /** Runs the threads, from now to the end of the window, and measures what is inside it. */
  Reply.Contested run(long startNanos, long endNanos) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (Caller caller : callers) {
      caller.setWindow(startNanos, endNanos);
      Thread thread = new Thread(() -> runUntil(end, caller), "caller-" + threads.size());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    double cpuNanos =
        ProcessUse.within(List.of(ProcessHandle.current().pid()), startNanos, endNanos);
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Histogram times = Histograms.create();
    callers.forEach(caller -> times.add(caller.times()));
    return new Reply.Contested(
        sum(Caller::counted),
        sum(Caller::total),
        Histograms.encode(times),
        sum(Caller::heldNanos),
        cpuNanos,
        problems.list());
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

  private long sum(ToLongFunction<Caller> figure) {
    return callers.stream().mapToLong(figure).sum();
  }
}

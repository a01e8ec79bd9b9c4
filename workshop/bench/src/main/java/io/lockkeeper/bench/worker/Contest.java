package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The threads of one contest in this process. */
final class Contest {

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Problems problems = new Problems();
  private final Witness witness;
  private final List<Contestant> contestants = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Starts the threads; they wait at the gate. */
  Contest(ContestSpec spec, List<LockClient> clients, Runnable work, @Nullable Runnable around) {
    boolean isOne = spec.names() == Names.ONE;
    int inside = isOne ? spec.contender().sort().inside() : Integer.MAX_VALUE;
    witness = new Witness(inside);
    for (int i = 0; i < spec.threads(); i++) {
      ContestedLock lock = lock(spec, clients.get(i % clients.size()), i);
      Contestant contestant = new Contestant(lock, work, around, witness, spec.measure(), problems);
      contestants.add(contestant);
      Thread thread = new Thread(() -> startAtGate(contestant), "contestant-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  private static ContestedLock lock(ContestSpec spec, LockClient client, int thread) {
    return switch (spec.names()) {
      case ONE -> client.lock(spec.contender(), spec.name());
      case OWN ->
          client.lock(
              spec.contender(), spec.name() + ":" + ProcessHandle.current().pid() + ":" + thread);
      case MANY -> new DrawnLock(client, spec.contender(), spec.name(), thread);
    };
  }

  private void startAtGate(Contestant contestant) {
    try {
      gate.await();
      contestant.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  Reply.Contested run(long startNanos, long endNanos) throws InterruptedException {
    contestants.forEach(contestant -> contestant.setWindow(startNanos, endNanos));
    gate.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Histogram merged = Histograms.create();
    List<Long> counted = new ArrayList<>();
    long total = 0;
    for (Contestant contestant : contestants) {
      merged.add(contestant.times());
      counted.add(contestant.counted());
      total += contestant.total();
    }
    return new Reply.Contested(
        counted, total, Histograms.encode(merged), witness.overlaps(), problems.list());
  }
}

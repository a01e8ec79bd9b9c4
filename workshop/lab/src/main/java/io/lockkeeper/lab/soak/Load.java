package io.lockkeeper.lab.soak;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The users of a soak: threads that share two clients of one store, at a fixed rate. One use in
 * four is of one of sixteen resources, where threads and clients meet; the others are of any. Each
 * thread keeps a few leases for long, so that there is something to renew.
 */
final class Load implements AutoCloseable {

  private static final int MEETING_PLACES = 16;
  private static final int LONG_LEASES = 10;
  private static final int VISITS = 24;
  private static final Duration LONG_LEASE_WAIT = Duration.ofSeconds(5);

  private final SoakPlan plan;
  private final String url;
  private final Counts counts;
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  Load(SoakPlan plan, String url, Counts counts) {
    this.plan = plan;
    this.url = url;
    this.counts = counts;
  }

  void begin() {
    keepers.add(Lockkeeper.connect(url));
    keepers.add(Lockkeeper.connect(url));
    for (int i = 0; i < plan.threads(); i++) {
      int number = i;
      Thread thread = new Thread(() -> work(number), "soak-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void work(int number) {
    Random random = new Random(plan.seed() + number); // uses alike in each run
    Lockkeeper keeper = keepers.get(number % keepers.size());
    Deque<Lease> longLeases = new ArrayDeque<>();
    long stepNanos = (long) (TimeUnit.SECONDS.toNanos(1) * plan.threads() / plan.perSecond());
    long nextNanos = System.nanoTime() + (long) (random.nextDouble() * stepNanos);
    for (long turn = 0; !ended; turn++) {
      long waitNanos = nextNanos - System.nanoTime();
      if (waitNanos > 0) {
        LockSupport.parkNanos(waitNanos);
      } else {
        // Late: the rate is a ceiling, and what was missed is not made up for.
        nextNanos -= waitNanos;
      }
      nextNanos += stepNanos;
      useOne(keeper, random);
      if (turn % 200 == 0) {
        exchange(keeper, longLeases, number + "-" + turn);
      }
    }
    longLeases.forEach(Lease::release);
  }

  private void useOne(Lockkeeper keeper, Random random) {
    int bound = random.nextInt(4) == 0 ? Math.min(MEETING_PLACES, plan.names()) : plan.names();
    int resource = random.nextInt(bound);
    long startNanos = System.nanoTime();
    try {
      boolean done = Use.of(resource).use(keeper, "soak:" + resource, random);
      counts.used(System.nanoTime() - startNanos, !done);
    } catch (RuntimeException | InterruptedException e) {
      counts.failed(e);
    }
  }

  private void exchange(Lockkeeper keeper, Deque<Lease> leases, String name) {
    try {
      leases.add(keeper.lock("soak:long:" + name).tryAcquire(LONG_LEASE_WAIT).orElseThrow());
      if (leases.size() > LONG_LEASES) {
        leases.remove().release();
      }
    } catch (RuntimeException | InterruptedException e) {
      counts.failed(e);
    }
  }

  /** Has a client come, use every kind of resource a few times, and go. */
  void visit(Random random) {
    try (Lockkeeper visitor = Lockkeeper.builder().listener(event -> {}).connect(url)) {
      for (int i = 0; i < VISITS; i++) {
        useOne(visitor, random);
      }
    }
  }

  @Override
  public void close() {
    end();
  }

  /** Ends all threads and closes all clients; again it does nothing. */
  void end() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    threads.clear();
    keepers.forEach(Lockkeeper::close);
    keepers.clear();
  }
}

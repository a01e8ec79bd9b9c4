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
import java.util.concurrent.atomic.AtomicLong;
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

  private static final int THREADS = 8;

  private final int names;
  private final double perSecond;
  private final String url;
  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * Creates it.
   *
   * @param names how many resources it uses
   * @param perSecond how many uses of a resource are begun in a second
   */
  Load(int names, double perSecond, String url) {
    this.names = names;
    this.perSecond = perSecond;
    this.url = url;
  }

  void begin() {
    keepers.add(Lockkeeper.connect(url));
    keepers.add(Lockkeeper.connect(url));
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> work(number), "soak-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void work(int number) {
    Random random = new Random(1L + number); // uses alike in each run
    Lockkeeper keeper = keepers.get(number % keepers.size());
    Deque<Lease> longLeases = new ArrayDeque<>();
    long stepNanos = (long) (TimeUnit.SECONDS.toNanos(1) * THREADS / perSecond);
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
    int bound = random.nextInt(4) == 0 ? Math.min(MEETING_PLACES, names) : names;
    int resource = random.nextInt(bound);
    long startNanos = System.nanoTime();
    try {
      boolean done = Use.of(resource).use(keeper, "soak:" + resource, random);
      uses.incrementAndGet();
      timeouts.addAndGet(done ? 0 : 1);
      slowestNanos.accumulateAndGet(System.nanoTime() - startNanos, Math::max);
    } catch (RuntimeException | InterruptedException e) {
      failed(e);
    }
  }

  private void exchange(Lockkeeper keeper, Deque<Lease> leases, String name) {
    try {
      leases.add(keeper.lock("soak:long:" + name).tryAcquire(LONG_LEASE_WAIT).orElseThrow());
      if (leases.size() > LONG_LEASES) {
        leases.remove().release();
      }
    } catch (RuntimeException | InterruptedException e) {
      failed(e);
    }
  }

  /** Counts a use that went wrong, and says the first few. */
  private void failed(Exception e) {
    uses.incrementAndGet();
    if (errors.incrementAndGet() <= 20) {
      System.out.println("a use failed: " + e);
    }
  }

  long uses() {
    return uses.get();
  }

  long timeouts() {
    return timeouts.get();
  }

  long errors() {
    return errors.get();
  }

  /** Returns the longest use since this was last asked. */
  double takeSlowestMillis() {
    return slowestNanos.getAndSet(0) / (double) TimeUnit.MILLISECONDS.toNanos(1);
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

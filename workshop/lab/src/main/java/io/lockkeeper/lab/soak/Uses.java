package io.lockkeeper.lab.soak;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The users of a soak: threads that share two clients of one store, at a fixed rate. One use in
 * four is of one of sixteen resources, where threads and clients meet; the others are of any. Each
 * thread keeps a few leases for long, so that there is something to renew.
 */
final class Uses implements AutoCloseable {

  private static final int MEETING_PLACES = 16;
  private static final int LONG_LEASES = 10;
  private static final int VISITS = 24;
  private static final Duration LONG_LEASE_WAIT = Duration.ofSeconds(5);
  private static final int THREADS = 8;

  /** Longer than a busy machine needs for the first uses: a wait without any answer is an error. */
  private static final Duration WAIT = Duration.ofSeconds(3);

  private static final long LONGEST_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** A use from beginning to end; false if it waited in vain. */
  private interface Use {
    boolean run() throws InterruptedException;
  }

  private final int names;
  private final double perSecond;
  private final String url;
  final AtomicLong uses = new AtomicLong();
  final AtomicLong timeouts = new AtomicLong();
  final AtomicLong errors = new AtomicLong();

  /** The longest since a sample was taken. */
  final AtomicLong slowestNanos = new AtomicLong();

  private final List<Lockkeeper> keepers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * Creates them.
   *
   * @param names how many resources there are
   * @param perSecond how many uses are begun in a second
   */
  Uses(int names, double perSecond, String url) {
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
        String name = "soak:long:" + number + "-" + turn;
        attempt(() -> exchange(keeper, longLeases, name));
      }
    }
    longLeases.forEach(Lease::release);
  }

  private void useOne(Lockkeeper keeper, Random random) {
    int bound = random.nextInt(4) == 0 ? Math.min(MEETING_PLACES, names) : names;
    int resource = random.nextInt(bound);
    long startNanos = System.nanoTime();
    attempt(
        () -> {
          boolean done = use(keeper, resource, random);
          uses.incrementAndGet();
          slowestNanos.accumulateAndGet(System.nanoTime() - startNanos, Math::max);
          return done;
        });
  }

  /** Counts a use that went wrong, and says the first few. */
  private void attempt(Use use) {
    try {
      timeouts.addAndGet(use.run() ? 0 : 1);
    } catch (RuntimeException | InterruptedException e) {
      uses.incrementAndGet();
      if (errors.incrementAndGet() <= 20) {
        System.out.println("a use failed: " + e);
      }
    }
  }

  private static boolean exchange(Lockkeeper keeper, Deque<Lease> leases, String name)
      throws InterruptedException {
    leases.add(keeper.lock(name).tryAcquire(LONG_LEASE_WAIT).orElseThrow());
    if (leases.size() > LONG_LEASES) {
      leases.remove().release();
    }
    return true;
  }

  /** Uses a resource, always in the same one of eight ways. */
  private static boolean use(Lockkeeper keeper, int resource, Random random)
      throws InterruptedException {
    String name = "soak:" + resource;
    return switch (resource % 8) {
      case 0 -> hold(keeper.lock(name).tryAcquire(WAIT), random);
      case 1 -> holdFairly(keeper.fairLock(name), random);
      case 2 -> {
        DistributedReadWriteLock both = keeper.readWriteLock(name);
        DistributedLock lock = random.nextInt(4) > 0 ? both.readLock() : both.writeLock();
        yield hold(lock.tryAcquire(WAIT), random);
      }
      case 3 -> hold(keeper.semaphore(name, 3).tryAcquire(1 + random.nextInt(3), WAIT), random);
      case 4 -> {
        keeper.barrier(name, 1).await();
        yield true;
      }
      case 5 -> {
        keeper.counter(name).incrementAndGet();
        if (random.nextBoolean()) {
          keeper.counter(name).delete();
        }
        yield true;
      }
      case 6 -> {
        change(keeper.sharedValue(name), random);
        yield true;
      }
      default -> {
        DistributedCountDownLatch latch = keeper.countDownLatch(name);
        latch.trySetCount(1, Duration.ofMinutes(1));
        latch.countDown();
        yield latch.await(WAIT.toMillis(), TimeUnit.MILLISECONDS);
      }
    };
  }

  private static boolean hold(Optional<? extends Lease> lease, Random random) {
    lease.ifPresent(
        held -> {
          pause(random);
          held.release();
        });
    return lease.isPresent();
  }

  /** One request in eight changes its mind while it waits. */
  private static boolean holdFairly(DistributedLock lock, Random random)
      throws InterruptedException {
    if (random.nextInt(8) > 0) {
      return hold(lock.tryAcquire(WAIT), random);
    }
    var asked = lock.acquireAsync().toCompletableFuture();
    if (!asked.cancel(false)) {
      asked.join().release();
    }
    return true;
  }

  private static void change(SharedValue value, Random random) {
    Registration watch = value.onChange(change -> {});
    try {
      value.set(Long.toString(random.nextLong()));
      pause(random);
    } finally {
      watch.close();
    }
    if (random.nextBoolean()) {
      value.delete();
    }
  }

  private static void pause(Random random) {
    LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_HOLD_NANOS));
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

package io.lockkeeper.lab.soak;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One way of using a resource from beginning to end. */
enum Use {
  LOCK {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      return hold(keeper.lock(name), random);
    }
  },
  FAIR_LOCK {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      DistributedLock lock = keeper.fairLock(name);
      if (random.nextInt(8) > 0) {
        return hold(lock, random);
      }
      // One that changes its mind while it waits.
      var asked = lock.acquireAsync().toCompletableFuture();
      if (!asked.cancel(false)) {
        asked.join().release();
      }
      return true;
    }
  },
  READ_WRITE_LOCK {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      DistributedReadWriteLock lock = keeper.readWriteLock(name);
      return hold(random.nextInt(4) > 0 ? lock.readLock() : lock.writeLock(), random);
    }
  },
  SEMAPHORE {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      Optional<PermitLease> lease =
          keeper.semaphore(name, 3).tryAcquire(1 + random.nextInt(3), WAIT);
      lease.ifPresent(
          held -> {
            pause(random);
            held.release();
          });
      return lease.isPresent();
    }
  },
  BARRIER {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      DistributedBarrier barrier = keeper.barrier(name, 1);
      barrier.await();
      return true;
    }
  },
  COUNTER {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) {
      DistributedCounter counter = keeper.counter(name);
      counter.incrementAndGet();
      if (random.nextBoolean()) {
        counter.delete();
      }
      return true;
    }
  },
  VALUE {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) {
      SharedValue value = keeper.sharedValue(name);
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
      return true;
    }
  },
  LATCH {
    @Override
    boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException {
      DistributedCountDownLatch latch = keeper.countDownLatch(name);
      latch.trySetCount(1, Duration.ofMinutes(1));
      latch.countDown();
      return latch.await(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }
  };

  /** Longer than a busy machine needs for the first uses: a wait without any answer is an error. */
  private static final Duration WAIT = Duration.ofSeconds(3);

  private static final long LONGEST_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Returns false if it waited in vain. */
  abstract boolean use(Lockkeeper keeper, String name, Random random) throws InterruptedException;

  /** Returns the use that a resource always has: one of eight, by its number. */
  static Use of(int resource) {
    return values()[resource % values().length];
  }

  private static boolean hold(DistributedLock lock, Random random) throws InterruptedException {
    Optional<Lease> lease = lock.tryAcquire(WAIT);
    lease.ifPresent(
        held -> {
          pause(random);
          held.release();
        });
    return lease.isPresent();
  }

  private static void pause(Random random) {
    LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_HOLD_NANOS));
  }
}

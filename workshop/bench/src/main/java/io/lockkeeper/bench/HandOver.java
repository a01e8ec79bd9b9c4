package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.lab.report.Histograms;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a lock is on its way from one client to another: the holder unlocks while the
 * other client's thread waits, and the time runs from that call until the waiter has the lock.
 *
 * <p>The holder unlocks only after the waiter has visibly waited for a while, and after a pause of
 * random length, so that the rhythm of a polling lock does not meet it always at the same point.
 *
 * <p>Of a lock that its client keeps when idle the holder has unlocked before the other client
 * asks; the time runs from that question.
 */
final class HandOver {

  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Histogram times = Histograms.create();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  private final boolean idle;

  /**
   * Creates a measurement.
   *
   * @param idle whether the holder unlocks before the other client asks
   */
  HandOver(boolean idle) {
    this.idle = idle;
  }

  /** Passes the lock {@code times} times, each client being the holder in turn. */
  Histogram run(ContestedLock first, ContestedLock second, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      ContestedLock holder = i % 2 == 0 ? first : second;
      ContestedLock waiter = i % 2 == 0 ? second : first;
      if (idle) {
        takeIdle(holder, waiter);
      } else {
        passOnce(holder, waiter);
      }
      RuntimeException problem = failure.get();
      if (problem != null) {
        throw problem;
      }
    }
    return this.times;
  }

  private void passOnce(ContestedLock holder, ContestedLock waiter) throws InterruptedException {
    holder.lock();
    long[] acquiredNanos = new long[1];
    CountDownLatch started = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              started.countDown();
              acquiredNanos[0] = lockAndUnlock(waiter);
            },
            "waiter");
    thread.setDaemon(true);
    thread.start();
    started.await();
    awaitWaiting(thread);
    Sleep.nanos(SETTLE_NANOS + ThreadLocalRandom.current().nextLong(JITTER_NANOS));
    long releasedNanos = System.nanoTime();
    holder.unlock();
    thread.join();
    times.recordValue(Math.max(0, acquiredNanos[0] - releasedNanos));
  }

  private void takeIdle(ContestedLock holder, ContestedLock taker) {
    holder.lock();
    holder.unlock();
    Sleep.nanos(SETTLE_NANOS + ThreadLocalRandom.current().nextLong(JITTER_NANOS));
    long askedNanos = System.nanoTime();
    times.recordValue(Math.max(0, lockAndUnlock(taker) - askedNanos));
  }

  private long lockAndUnlock(ContestedLock waiter) {
    try {
      waiter.lock();
      long now = System.nanoTime();
      waiter.unlock();
      return now;
    } catch (RuntimeException e) {
      failure.set(e);
      return System.nanoTime();
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (!WAITING.contains(thread.getState()) && thread.isAlive()) {
      Sleep.nanos(SETTLE_NANOS / 10);
    }
  }
}

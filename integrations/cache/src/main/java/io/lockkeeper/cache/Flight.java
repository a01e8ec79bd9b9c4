package io.lockkeeper.cache;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One way to the value of a key, on which one thread of this process is and which others wait for.
 * It ends with a value, with a failure for all, or without a result for anybody: then each who
 * waited tries for itself. What it ends with is said before it {@linkplain #end ends}.
 */
final class Flight<V> {

  private final Thread thread = Thread.currentThread();
  private final CountDownLatch end = new CountDownLatch(1);
  private final long leaseNanos;

  /**
   * The value that it ended with.
   *
   * @param value null if there is none
   */
  record Landed<V>(@Nullable V value) {

    Optional<V> content() {
      return Optional.ofNullable(value);
    }
  }

  /** When the others no longer wait for it: set by its own thread only. */
  private volatile long overdueNanos;

  private volatile @Nullable Landed<V> landed;
  private volatile @Nullable Throwable failure;

  Flight(long leaseNanos) {
    this.leaseNanos = leaseNanos;
    begin();
  }

  /** Begins its time anew: it has the lock. */
  void begin() {
    overdueNanos = System.nanoTime() + leaseNanos;
  }

  boolean isOverdue() {
    return overdueNanos - System.nanoTime() <= 0;
  }

  /** Returns whether the current thread is on it. */
  boolean isOwn() {
    return thread == Thread.currentThread();
  }

  void land(Optional<V> result) {
    landed = new Landed<>(result.orElse(null));
  }

  void fail(Throwable cause) {
    failure = cause;
  }

  void end() {
    end.countDown();
  }

  /** Returns what it ended with, or null if it has not, or without a value. */
  @Nullable Landed<V> landed() {
    return landed;
  }

  /** Returns the failure for all, or null if there is none. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Waits for its end, until it is overdue, or as long as the caller may wait. */
  void await(long deadlineNanos) throws InterruptedException {
    long now = System.nanoTime();
    long nanos = Math.min(deadlineNanos - now, overdueNanos - now);
    end.await(nanos, TimeUnit.NANOSECONDS);
  }
}

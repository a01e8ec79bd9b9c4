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

  /** When the others no longer wait for it: set by its own thread only. */
  private volatile long overdueNanos;

  private volatile @Nullable Optional<V> value;
  private volatile @Nullable Throwable failure;

  Flight(long leaseNanos) {
    this.leaseNanos = leaseNanos;
    begin();
  }

  /** Has its time begin anew: it has the lock. */
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
    value = result;
  }

  void fail(Throwable cause) {
    failure = cause;
  }

  void end() {
    end.countDown();
  }

  /** Returns the value if there is one by now. */
  @Nullable Optional<V> value() {
    return value;
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

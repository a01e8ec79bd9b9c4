package io.lockkeeper;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * An old lock and a new one, held together: for moving an application from one lock library to
 * another without stopping all of its instances at once.
 *
 * <p>First each instance is replaced, one after the other, by one that uses this; those that have
 * only the old lock are kept out by it. When all have this, each is replaced by one that has only
 * the new lock.
 *
 * <p>The old lock is acquired first and released last. If the new one cannot be acquired the old
 * one is released. Both count re-entries as they do by themselves; a limit on the wait is one limit
 * for both. Conditions are not supported.
 *
 * <p>Thread-safe.
 */
public final class MigratingLock implements Lock {

  private final Lock oldLock;
  private final Lock newLock;

  /**
   * Creates a lock made of two.
   *
   * @param oldLock the lock that older instances use, of any library
   * @param newLock the lock that is to be used alone in the end
   */
  public MigratingLock(Lock oldLock, Lock newLock) {
    this.oldLock = Objects.requireNonNull(oldLock, "oldLock");
    this.newLock = Objects.requireNonNull(newLock, "newLock");
  }

  /** A way of acquiring the new lock, and whether it was acquired. */
  @FunctionalInterface
  private interface Acquisition<E extends Exception> {
    boolean acquire() throws E;
  }

  /** Acquires the new lock while the old one is held, which is released if that fails. */
  private <E extends Exception> boolean then(Acquisition<E> acquisition) throws E {
    boolean acquired;
    try {
      acquired = acquisition.acquire();
    } catch (Throwable failure) {
      try {
        oldLock.unlock();
      } catch (Throwable more) {
        failure.addSuppressed(more);
      }
      throw failure;
    }
    if (!acquired) {
      oldLock.unlock();
    }
    return acquired;
  }

  @Override
  public void lock() {
    oldLock.lock();
    boolean unused =
        then(
            () -> {
              newLock.lock();
              return true;
            });
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    oldLock.lockInterruptibly();
    boolean unused =
        then(
            () -> {
              newLock.lockInterruptibly();
              return true;
            });
  }

  @Override
  public boolean tryLock() {
    return oldLock.tryLock() && then(newLock::tryLock);
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    long sinceNanos = System.nanoTime();
    long limitNanos = unit.toNanos(time);
    return oldLock.tryLock(time, unit)
        && then(
            () -> {
              long leftNanos = limitNanos - (System.nanoTime() - sinceNanos);
              return newLock.tryLock(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
            });
  }

  /**
   * Releases the new lock and then the old one, also if the first release fails; then its failure
   * is thrown.
   */
  @Override
  public void unlock() {
    try {
      newLock.unlock();
    } catch (Throwable failure) {
      try {
        oldLock.unlock();
      } catch (Throwable more) {
        failure.addSuppressed(more);
      }
      throw failure;
    }
    oldLock.unlock();
  }

  /**
   * Not supported.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a distributed lock has no conditions");
  }

  @Override
  public String toString() {
    return "MigratingLock[" + oldLock + ", " + newLock + "]";
  }
}

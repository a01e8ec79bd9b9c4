package io.lockkeeper.spring.integration;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaseLostException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock of a {@link LockkeeperLockRegistry}: a lock of Lockkeeper with the exceptions that Spring
 * Integration expects. Re-entrant.
 *
 * <p>On Spring Integration 7 each of them is a {@code DistributedLock} of Spring Integration too.
 */
public class RegistryLock implements Lock {

  static final String LOCK_WITH_TIME_TO_LIVE =
      "org.springframework.integration.support.locks.DistributedLock";

  private static final boolean HAS_LOCKS_WITH_TIME_TO_LIVE = hasLocksWithTimeToLive();

  private final DistributedLock lock;

  RegistryLock(DistributedLock lock) {
    this.lock = lock;
  }

  static RegistryLock of(DistributedLock lock) {
    return HAS_LOCKS_WITH_TIME_TO_LIVE ? TimedRegistryLock.of(lock) : new RegistryLock(lock);
  }

  private static boolean hasLocksWithTimeToLive() {
    try {
      Class.forName(LOCK_WITH_TIME_TO_LIVE, false, RegistryLock.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false; // Spring Integration 6
    }
  }

  /** Returns the lock itself, with its token, its lease and its other operations. */
  public DistributedLock unwrap() {
    return lock;
  }

  @Override
  public void lock() {
    lock.lock();
  }

  /**
   * Waits for the lock and holds it for a time, or until it is unlocked.
   *
   * @param ttl 50 milliseconds to 24 hours
   */
  public void lock(Duration ttl) {
    lock.lock(LockkeeperLockRegistry.fixed(ttl));
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
  }

  @Override
  public boolean tryLock() {
    return lock.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return lock.tryLock(time, unit);
  }

  /**
   * Waits for the lock for a time, and then holds it for a time, or until it is unlocked.
   *
   * @param waitTime zero or less for not at all
   * @param ttl 50 milliseconds to 24 hours
   */
  public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
    Duration wait = waitTime.isNegative() ? Duration.ZERO : waitTime;
    return lock.tryLock(LockkeeperLockRegistry.fixed(ttl).withWait(wait));
  }

  /**
   * Gives the lock back.
   *
   * @throws IllegalStateException if this thread does not hold it
   * @throws ConcurrentModificationException if this thread has lost it: its lease was over, or
   *     somebody has taken it away. What was done under it may have been done beside another
   *     holder.
   */
  @Override
  public void unlock() {
    try {
      lock.unlock();
    } catch (IllegalMonitorStateException notMine) {
      throw notHeld(notMine);
    } catch (LeaseLostException lost) {
      throw lost(lost);
    }
  }

  void renew(Duration ttl) {
    try {
      lock.heldLease().renew(ttl);
    } catch (IllegalMonitorStateException notMine) {
      throw notHeld(notMine);
    } catch (LeaseLostException lost) {
      throw lost(lost);
    }
  }

  private IllegalStateException notHeld(IllegalMonitorStateException cause) {
    return new IllegalStateException("this thread does not hold " + lock, cause);
  }

  private static ConcurrentModificationException lost(LeaseLostException cause) {
    return new ConcurrentModificationException(cause.getMessage(), cause);
  }

  /**
   * Does nothing but throw.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public Condition newCondition() {
    return lock.newCondition();
  }

  /** Names the lock. */
  @Override
  public String toString() {
    return lock.toString();
  }
}

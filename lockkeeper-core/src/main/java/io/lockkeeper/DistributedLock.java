package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock over all clients of one store, in two views.
 *
 * <p><b>As a {@link Lock}</b> it is owned by a thread and re-entrant: {@link #lock()}, {@link
 * #tryLock()}, {@link #unlock()} and their kin follow {@code java.util.concurrent.locks.Lock} to
 * the letter, between the threads of one client. Between clients one thing is different, unless
 * {@linkplain LockOptions#withConfirmedRelease the options change it}: after an {@code unlock}, a
 * {@code tryLock} of another client succeeds only when the release has reached the store, some
 * milliseconds later. Re-entry costs nothing at the store and keeps the token.
 *
 * <p><b>As a source of {@link Lease}s</b> it is owned by whoever has the handle: {@link
 * #acquire()}, {@link #tryAcquire(Duration)}, {@link #acquireAsync()}. A lease is bound to no
 * thread and never re-enters: a thread that holds this lock by {@code lock()} and then calls {@code
 * acquire()} without a limit would wait for itself, and gets an {@link IllegalStateException}
 * instead.
 *
 * <p><b>How long it is held.</b> Unless a lease is given, the hold is renewed in the background
 * until it is released, the client closes, or the owning thread is found dead. With a lease given
 * ({@link #lock(Duration)}, {@link AcquireOptions#withFixedLease}) it ends by itself. Either way
 * exclusion holds only while the lease is valid: a process that was frozen beyond its lease has
 * lost the lock, and only the guarded system can refuse its late write, by comparing {@link
 * #token()}.
 *
 * <p><b>Memory.</b> Everything that a thread of this process did before it released the lock
 * happens-before everything done by a thread of this process after a later acquisition. Between
 * processes the lock orders accesses to systems that are themselves linearizable; it moves no
 * memory.
 *
 * <p><b>When the store cannot be reached.</b> Waits outlast short failures; a wait that has had no
 * answer for {@link LockkeeperBuilder#storePatience} ends with a {@link StoreUnavailableException}.
 * A timed wait never outlasts its own limit.
 */
public interface DistributedLock extends Lock {

  /** Returns the resource's name. */
  String name();

  /**
   * Returns the fencing token of the current thread's hold: larger than the token of every earlier
   * grant of this name by any client. Re-entry does not change it. Send it with every write to the
   * guarded system, and have that system refuse a token smaller than the largest it has seen.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it
   */
  long token();

  /**
   * Returns the current thread's hold as a lease, to check its validity or to be notified of its
   * loss. The lease ends with the thread's last {@link #unlock()}; releasing it directly is the
   * same as unlocking all the way.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock and has not
   *     lost it either
   */
  Lease heldLease();

  /**
   * Acquires a lease, waiting as long as it takes.
   *
   * <p>Returns at once if the lock is free. Otherwise the thread waits until one of these happens:
   * the lock is granted; another thread interrupts it; the client is closed; the store has not
   * answered for the store patience. If interrupted on entry or while waiting, the interrupt wins
   * over a grant that has not yet been returned, and nothing is left behind at the store.
   *
   * @return a valid lease, renewed until it is released
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException if the current thread holds this lock by {@link #lock()} and
   *     would wait for itself
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  default Lease acquire() throws InterruptedException {
    return acquire(AcquireOptions.defaults());
  }

  /**
   * Acquires a lease as the options say.
   *
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException as {@link #acquire()}
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  Lease acquire(AcquireOptions options) throws InterruptedException;

  /**
   * Acquires a lease if that is possible within {@code wait}. Zero or less asks once and does not
   * wait in the queue.
   *
   * @return the lease, or empty if the time passed first
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws StoreUnavailableException if the store gave no answer in all that time
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  java.util.Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Acquires a lease without blocking. The stage completes on the client's executor, with the lease
   * or with one of the exceptions of {@link #acquire()}. Cancelling {@code toCompletableFuture()}
   * gives up the place in the queue; if the grant was already on its way, it is released.
   */
  default CompletionStage<Lease> acquireAsync() {
    return acquireAsync(AcquireOptions.defaults());
  }

  /**
   * As {@link #acquireAsync()}, with options; a limited wait that passes completes the stage with
   * an {@link AcquireTimeoutException}.
   */
  CompletionStage<Lease> acquireAsync(AcquireOptions options);

  /**
   * {@inheritDoc}
   *
   * <p>Waits through interrupts and restores the interrupted status before it returns.
   *
   * @throws StoreUnavailableException if the store does not answer; the lock is then not held
   * @throws StoreRefusedException if the store answers that it cannot; the lock is then not held
   * @throws LeaseLostException if the current thread already held this lock, lost it, and has not
   *     yet unlocked it
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  @Override
  void lock();

  /**
   * As {@link #lock()}, for a fixed time: the hold ends by itself {@code lease} after it began and
   * is not renewed. On re-entry the lease given here is ignored: the outer hold's end stands.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  void lock(Duration lease);

  @Override
  void lockInterruptibly() throws InterruptedException;

  @Override
  boolean tryLock();

  @Override
  boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

  /**
   * As {@link #tryLock(long, TimeUnit)}, and once acquired the hold ends by itself {@code lease}
   * after it began.
   *
   * @param wait how long to wait at most; zero or less asks once
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

  /**
   * {@inheritDoc}
   *
   * <p>Returns without waiting for the store while the lease is valid; the store's confirmation
   * arrives in the background. What this thread asks for next comes behind the release, but another
   * client that only tries may for some milliseconds still find the lock taken. Before you tell
   * another process to go on, wait for the confirmation: use {@link
   * LockOptions#withConfirmedRelease}, or {@link Lease#releaseAsync} of the {@linkplain #heldLease
   * held lease}.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it; nobody else's hold is
   *     touched
   * @throws StoreUnavailableException if this method waits for the confirmation and none arrives
   *     within the store patience; the current thread then does not hold this lock
   */
  @Override
  void unlock();

  /**
   * Not supported: a condition would have to wait at the store.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  Condition newCondition();

  /**
   * Asks the store whether anybody holds this lock now.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean isLocked();

  /** Returns whether the current thread holds this lock by a lease that is still valid. */
  boolean isHeldByCurrentThread();

  /**
   * Returns how many times the current thread has locked without unlocking; 0 if its lease is lost.
   */
  int getHoldCount();

  /**
   * Revokes the lock at the store, whoever holds it. The holder is notified with a {@link
   * LeaseLost}; the next waiter gets the lock with a larger token. Meant for repairs by people: the
   * old holder may still be at work, and only tokens keep its writes out. Until it is notified, at
   * its next renewal at the latest, its lease looks valid to it. A client that acquires the lock
   * while this call is in progress keeps it.
   *
   * @return whether somebody held it
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean forceUnlock();
}

package io.lockkeeper;

import java.time.Duration;
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
 * <p><b>As a source of {@link Lease}s</b> it belongs to no thread: {@link #acquire()}, {@link
 * #tryAcquire(Duration)}, {@link #acquireAsync()}. A lease is bound to no thread and never
 * re-enters: a thread that holds this lock by {@code lock()} and then calls {@code acquire()}
 * without a limit would wait for itself, and gets an {@link IllegalStateException} instead.
 *
 * <p><b>How long it is held.</b> Unless a lease is given, the hold is renewed in the background
 * until it is released, the client closes, or the owning thread is found dead. With a lease given
 * ({@link AcquireOptions#withFixedLease}) it ends by itself. Either way exclusion holds only while
 * the lease is valid: a process that was frozen beyond its lease has lost the lock, and only the
 * guarded system can refuse its late write, by comparing {@link #token()}.
 *
 * <p><b>Memory.</b> Everything that a thread of this process did before it released the lock
 * happens-before everything done by a thread of this process after a later acquisition. Between
 * processes the lock orders accesses to systems that are themselves linearizable; it moves no
 * memory.
 *
 * <p><b>When the store cannot be reached.</b> Waits outlast short failures; a wait that has had no
 * answer for {@link LockkeeperBuilder#storeTimeout} ends with a {@link StoreUnavailableException}.
 * A timed wait never outlasts its own limit.
 */
public interface DistributedLock extends LeaseLock<Lease> {

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
   *     within the store timeout; the current thread then does not hold this lock
   */
  @Override
  void unlock();

  /**
   * Asks the store whether anybody holds this lock now.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean isLocked();

  /**
   * Revokes the lock at the store, whichever client holds it. The holder is notified with a {@link
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

package io.lockkeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Several locks that are acquired together, all or none. They may belong to any clients and any
 * stores.
 *
 * <p><b>Order.</b> The members are taken one after another in an order that is the same everywhere:
 * by name, then by the store's address, then by namespace. So two multi-locks cannot wait for each
 * other in a circle, in whatever order their locks were given, as long as all clients write a
 * store's address in the same way and nobody takes a member by itself while holding a later one.
 *
 * <p><b>One limit.</b> A limit on the wait is one for all members together. If the limit passes, a
 * member fails or the thread is interrupted, the members already acquired are released.
 *
 * <p><b>One loss.</b> When one member is lost the whole is lost: {@link #isHeldByCurrentThread()}
 * is false, the other members are released, {@link MultiLease#onLost} notifies once, and {@link
 * #unlock()} throws {@link LeaseLostException} once for each {@link #lock()}.
 *
 * <p><b>As a {@link Lock}</b> it is owned by a thread and re-entrant, and so are its members: a
 * thread that holds a member by itself takes it again, and a thread that holds this lock may lock a
 * member, which ends at the latest with this lock's loss. A fixed time counts from the moment at
 * which the last member was acquired. Until then the members are renewed, and a crashed holder
 * blocks the others for as long as the members' own leases.
 *
 * <p><b>As a source of {@link MultiLease}s</b> it is owned by whoever has the handle, as with
 * {@link DistributedLock}.
 */
public interface MultiLock extends Lock {

  /** Returns the members in the order in which they were given, each once. */
  List<DistributedLock> locks();

  /**
   * Returns the fencing tokens of the current thread's hold, in the order of {@link #locks()}.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it
   */
  List<Long> tokens();

  /**
   * Returns the current thread's hold as a lease, to check its validity or to be notified of its
   * loss. Releasing the lease is the same as unlocking all the way.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock and has not
   *     lost it either
   */
  MultiLease heldLease();

  /**
   * Acquires a lease on all members, waiting as long as it takes.
   *
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException if the current thread holds a member by {@code lock()} and would
   *     wait for itself
   * @throws StoreUnavailableException if a store does not answer
   * @throws StoreRefusedException if a store answers that it cannot
   * @throws LockkeeperClosedException if a client is or gets closed
   */
  default MultiLease acquire() throws InterruptedException {
    return acquire(AcquireOptions.defaults());
  }

  /**
   * Acquires a lease on all members as the options say.
   *
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException as {@link #acquire()}
   * @throws StoreUnavailableException if a store does not answer
   * @throws StoreRefusedException if a store answers that it cannot
   * @throws LockkeeperClosedException if a client is or gets closed
   */
  MultiLease acquire(AcquireOptions options) throws InterruptedException;

  /**
   * Acquires a lease on all members if that is possible within {@code wait}. Zero or less asks each
   * store once and waits in no queue.
   *
   * @return the lease, or empty if the time passed first
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws StoreUnavailableException if a store gave no answer in all that time
   * @throws StoreRefusedException if a store answers that it cannot
   * @throws LockkeeperClosedException if a client is or gets closed
   */
  Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Acquires a lease on all members without blocking. The stage completes on a client's executor.
   * Cancelling {@code toCompletableFuture()} gives up the place in the queue and releases the
   * members already acquired.
   */
  default CompletionStage<MultiLease> acquireAsync() {
    return acquireAsync(AcquireOptions.defaults());
  }

  /**
   * As {@link #acquireAsync()}, with options; a limited wait that passes completes the stage with
   * an {@link AcquireTimeoutException}.
   */
  CompletionStage<MultiLease> acquireAsync(AcquireOptions options);

  /**
   * {@inheritDoc}
   *
   * <p>Waits through interrupts and restores the interrupted status before it returns.
   *
   * @throws StoreUnavailableException if a store does not answer; nothing is then held
   * @throws StoreRefusedException if a store answers that it cannot; nothing is then held
   * @throws LeaseLostException if the current thread already held this lock or a member, lost it,
   *     and has not yet unlocked it
   * @throws LockkeeperClosedException if a client is or gets closed
   */
  @Override
  void lock();

  /**
   * As {@link #lock()}, for a fixed time from when the last member was taken. On re-entry the lease
   * given here is ignored: the outer hold's end stands.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  void lock(Duration lease);

  @Override
  void lockInterruptibly() throws InterruptedException;

  /**
   * {@inheritDoc} Asks the store of each member once, and stops at the first that is held by
   * another.
   */
  @Override
  boolean tryLock();

  @Override
  boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

  /**
   * As {@link #tryLock(long, TimeUnit)}, and once acquired the hold ends by itself after {@code
   * lease}.
   *
   * @param wait how long to wait at most for all members together; zero or less asks once
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

  /**
   * {@inheritDoc}
   *
   * <p>Does not wait for the stores. If unlocking one member fails the others are unlocked all the
   * same; the first failure is thrown, with the others suppressed in it.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it; nobody else's hold is
   *     touched
   */
  @Override
  void unlock();

  /**
   * Not supported.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  Condition newCondition();

  /** Returns whether the current thread holds this lock, and all members are still valid. */
  boolean isHeldByCurrentThread();

  /**
   * Returns how many times the current thread has locked this without unlocking; 0 if it is lost.
   */
  int getHoldCount();
}

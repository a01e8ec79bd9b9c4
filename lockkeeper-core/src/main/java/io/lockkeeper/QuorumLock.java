package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that is held at a majority of independent nodes.
 *
 * <p><b>How it is taken.</b> All nodes are asked at once. The lock is held as soon as a majority
 * has granted it with leases that are valid; a node that answers later joins or is left out. An
 * attempt that cannot reach a majority any more is released at all nodes and repeated after a
 * random pause, until the limit on the wait. A node that does not answer costs nothing as long as a
 * majority does, and otherwise one {@link QuorumOptions#nodeTimeout()} per attempt. Waiters are not
 * ordered.
 *
 * <p><b>How long it is valid.</b> At each node for the lease, less the time since the request was
 * sent, less one percent and two milliseconds; as a whole as long as at a majority.
 *
 * <p>It uses the lock of this name at each node, so it excludes, and competes with, holders of that
 * name at single nodes. Apart from that it behaves as {@link DistributedLock}: owned by a thread
 * and re-entrant by quorum, name and thread as a {@link Lock}, by its handle as a {@link
 * QuorumLease}.
 */
public interface QuorumLock extends Lock {

  /** Returns the resource's name. */
  String name();

  /**
   * Returns the fencing token of the current thread's hold.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it
   */
  QuorumToken token();

  /**
   * Returns the current thread's hold as a lease. Releasing it is the same as unlocking all the
   * way.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock and has not
   *     lost it either
   */
  QuorumLease heldLease();

  /**
   * Acquires a lease, waiting as long as it takes.
   *
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException if the current thread holds this lock by {@link #lock()} and
   *     would wait for itself
   * @throws StoreUnavailableException if there has been no answer from a majority for the store
   *     patience
   * @throws StoreRefusedException if so many stores answer that they cannot that there is no
   *     majority
   * @throws LockkeeperClosedException if so many clients are closed that there is no majority
   */
  default QuorumLease acquire() throws InterruptedException {
    return acquire(AcquireOptions.defaults());
  }

  /**
   * Acquires a lease as the options say.
   *
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException as {@link #acquire()}
   * @throws StoreUnavailableException if a majority gave no answer
   * @throws StoreRefusedException as {@link #acquire()}
   * @throws LockkeeperClosedException as {@link #acquire()}
   */
  QuorumLease acquire(AcquireOptions options) throws InterruptedException;

  /**
   * Acquires a lease if that is possible within {@code wait}. Zero or less is one attempt, which
   * waits in no queue and takes at most the node timeout.
   *
   * @return the lease, or empty if the time passed first
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws StoreUnavailableException if a majority gave no answer in all that time
   * @throws StoreRefusedException as {@link #acquire()}
   * @throws LockkeeperClosedException as {@link #acquire()}
   */
  Optional<QuorumLease> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Acquires a lease without blocking. The stage completes on a client's executor. Cancelling
   * {@code toCompletableFuture()} releases what was granted.
   */
  default CompletionStage<QuorumLease> acquireAsync() {
    return acquireAsync(AcquireOptions.defaults());
  }

  /** As {@link #acquireAsync()}, with options. */
  CompletionStage<QuorumLease> acquireAsync(AcquireOptions options);

  /**
   * As {@link #lock()}, for a fixed time: the hold ends by itself and is not renewed. On re-entry
   * the lease given here is ignored.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  void lock(Duration lease);

  /**
   * As {@link #tryLock(long, TimeUnit)}, for a fixed time.
   *
   * @param wait how long to wait at most; zero or less is one attempt
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if the lease is outside that range
   */
  boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

  /**
   * Not supported.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  Condition newCondition();

  /** Returns whether the current thread holds this lock by a lease that is still valid. */
  boolean isHeldByCurrentThread();

  /**
   * Returns how many times the current thread has locked without unlocking; 0 if its lease is lost.
   */
  int getHoldCount();
}

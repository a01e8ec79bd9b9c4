package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A semaphore whose permits are shared by all clients of one store.
 *
 * <p>Every permit that is in use belongs to a {@link PermitLease}, which is renewed in the
 * background until it is released. The permits of a process that dies come free when its lease
 * expires, and nobody can release a permit that is not held. Permits are bound to no thread.
 *
 * <p><b>Order.</b> First come, first served, whatever the number: a large request is not starved by
 * small ones behind it.
 *
 * <p><b>Number of permits.</b> The number given to {@link Lockkeeper#semaphore} counts from the
 * first use until nobody holds or waits for a permit; a client that gives another number meanwhile
 * is bound by the first one, and logs a warning. {@link #setPermits} changes the number for
 * everybody and for good. A request for more permits than that, and than the semaphore was made
 * with, is refused.
 *
 * <p>Failures of the store, interrupts and the closing of the client are reported as by {@link
 * DistributedLock}.
 */
public interface DistributedSemaphore {

  /** Returns the resource's name. */
  String name();

  /** As {@link #acquire(int, AcquireOptions)}: one permit, waiting as long as it takes. */
  default PermitLease acquire() throws InterruptedException {
    return acquire(1, AcquireOptions.defaults());
  }

  /** As {@link #acquire(int, AcquireOptions)}: waiting as long as it takes. */
  default PermitLease acquire(int permits) throws InterruptedException {
    return acquire(permits, AcquireOptions.defaults());
  }

  /** As {@link #acquire(int, AcquireOptions)}: one permit. */
  default PermitLease acquire(AcquireOptions options) throws InterruptedException {
    return acquire(1, options);
  }

  /**
   * Acquires this many permits, all or none, with one lease.
   *
   * @return a valid lease, renewed until it is released unless the options fix its length
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than the semaphore
   *     has
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared, and nothing is
   *     left behind at the store
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  PermitLease acquire(int permits, AcquireOptions options) throws InterruptedException;

  /** As {@link #run(int, LeaseLock.Action)}: one permit. */
  default <E extends Exception> void run(LeaseLock.Action<E> body) throws E, InterruptedException {
    run(1, body);
  }

  /**
   * Does some work with permits: {@link #acquire(int)}, the work, and the release.
   *
   * @param permits how many
   * @param body the work
   * @param <E> what the work may throw
   * @throws E what the work throws
   * @throws InterruptedException if interrupted while waiting; the work is then not done
   * @throws LeaseLostException if the lease was lost during work that threw nothing
   */
  default <E extends Exception> void run(int permits, LeaseLock.Action<E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    try (PermitLease lease = acquire(permits)) {
      Objects.requireNonNull(lease);
      body.run();
    }
  }

  /** As {@link #tryAcquire(int)}: one permit. */
  default Optional<PermitLease> tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Acquires this many permits if they are free and nobody waits. Asks the store once, does not
   * wait in the queue, and ignores interrupts.
   *
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than the semaphore
   *     has
   */
  Optional<PermitLease> tryAcquire(int permits);

  /** As {@link #tryAcquire(int, Duration)}: one permit. */
  default Optional<PermitLease> tryAcquire(Duration wait) throws InterruptedException {
    return tryAcquire(1, wait);
  }

  /**
   * Acquires this many permits if that is possible within {@code wait}. Zero or less asks once.
   *
   * @return the lease, or empty if the time passed first
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than the semaphore
   *     has
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws StoreUnavailableException if the store gave no answer in all that time
   */
  Optional<PermitLease> tryAcquire(int permits, Duration wait) throws InterruptedException;

  /** As {@link #acquireAsync(int, AcquireOptions)}: one permit, waiting as long as it takes. */
  default CompletionStage<PermitLease> acquireAsync() {
    return acquireAsync(1, AcquireOptions.defaults());
  }

  /** As {@link #acquireAsync(int, AcquireOptions)}: waiting as long as it takes. */
  default CompletionStage<PermitLease> acquireAsync(int permits) {
    return acquireAsync(permits, AcquireOptions.defaults());
  }

  /**
   * As {@link #acquire(int, AcquireOptions)} without blocking. The stage completes on the client's
   * executor. Cancelling {@code toCompletableFuture()} gives up the place in the queue; if the
   * grant was already on its way, it is released.
   */
  CompletionStage<PermitLease> acquireAsync(int permits, AcquireOptions options);

  /**
   * Acquires all permits that are free, if there are any. While others wait in the queue, no permit
   * counts as free.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  Optional<PermitLease> drainPermits();

  /**
   * Releases a lease by its {@linkplain PermitLease#id() id}, whichever client acquired it. That
   * client is notified of a loss.
   *
   * @return true if it was released; false if it was no longer held. If an answer of the store is
   *     lost, true means that the lease was held when this method was called and is not any more,
   *     even if somebody else released it at the same time. Nobody else's permits are touched
   * @throws IllegalArgumentException if {@code id} is not the id of a permit lease
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean release(String id);

  /**
   * Renews a lease by its {@linkplain PermitLease#id() id}, whichever client acquired it: at the
   * store it then lasts for {@code lease} from now, or longer if it did so before. The {@link
   * PermitLease} of the acquiring client is not updated: if its length is fixed, it turns invalid
   * at its own end, while the permits stay in use at the store.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @return whether it was still held; if not, nothing has changed
   * @throws IllegalArgumentException if {@code id} is not the id of a permit lease, or the lease is
   *     outside that range
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean renew(String id, Duration lease);

  /**
   * Asks the store how many permits are free; negative if the number was lowered below the permits
   * in use.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  int availablePermits();

  /**
   * Sets how many permits there are, for all clients and for good, also while nobody uses the
   * semaphore. Waiters for which there are now enough permits are admitted at once. Permits in use
   * stay in use: if they are more, {@link #availablePermits()} is negative until enough of them
   * have been released.
   *
   * @param permits at least 0
   * @throws IllegalArgumentException if negative
   * @throws StoreUnavailableException if the store does not answer
   */
  void setPermits(int permits);

  /**
   * Adds this many permits, or removes them if negative, otherwise as {@link #setPermits}.
   * Concurrent changes of several clients add up.
   *
   * @return the number of permits after the change
   * @throws IllegalArgumentException if there would be fewer than 0, or more than {@link
   *     Integer#MAX_VALUE}; nothing has changed then
   * @throws StoreUnavailableException if the store does not answer
   */
  int addPermits(int more);

  /**
   * Forgets the number that {@link #setPermits} or {@link #addPermits} have set. As soon as nobody
   * uses the semaphore, the number of the next user counts again, and nothing is left at the store.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  void resetPermits();
}

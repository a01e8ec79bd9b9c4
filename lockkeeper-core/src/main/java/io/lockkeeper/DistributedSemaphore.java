package io.lockkeeper;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A number of permits, shared by all clients of one store.
 *
 * <p>Every permit that is out belongs to a {@link PermitLease}, which is renewed in the background
 * until it is released: a process that dies gives its permits back with the end of its lease, and
 * nobody can release what is not held. Permits are bound to no thread.
 *
 * <p><b>Order.</b> First come, first served, whatever the number: a large request is not starved by
 * small ones behind it.
 *
 * <p><b>How many there are.</b> The number given to {@link Lockkeeper#semaphore} counts from the
 * first use until nobody holds or wants a permit; whoever names another number meanwhile is bound
 * by the first. {@link #setPermits} changes it for everybody and for good. A request for more
 * permits than that, and than the semaphore was made with, is refused.
 *
 * <p>Failures of the store, interrupts and the closing of the client are told as by {@link
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
   * Acquires so many permits, all or none, with one lease.
   *
   * @return a valid lease, renewed until it is released unless the options fix its length
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than there are
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared, and nothing is
   *     left behind at the store
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  PermitLease acquire(int permits, AcquireOptions options) throws InterruptedException;

  /** As {@link #tryAcquire(int)}: one permit. */
  default Optional<PermitLease> tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Acquires so many permits if they are free and nobody waits. Asks once, does not wait in line,
   * and goes on through interrupts.
   *
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than there are
   */
  Optional<PermitLease> tryAcquire(int permits);

  /** As {@link #tryAcquire(int, Duration)}: one permit. */
  default Optional<PermitLease> tryAcquire(Duration wait) throws InterruptedException {
    return tryAcquire(1, wait);
  }

  /**
   * Acquires so many permits if that is possible within {@code wait}. Zero or less asks once.
   *
   * @return the lease, or empty if the time passed first
   * @throws IllegalArgumentException if {@code permits} is not positive, or more than there are
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
   * grant was already under way it is released.
   */
  CompletionStage<PermitLease> acquireAsync(int permits, AcquireOptions options);

  /**
   * Acquires all permits that are free, if any are. While others wait in line nothing is free for
   * those who do not.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  Optional<PermitLease> drain();

  /**
   * Releases a lease by its {@linkplain PermitLease#id() id}, whichever client acquired it. That
   * client hears of it as a loss.
   *
   * @return true if it was released; false if it was not held any more. If an answer of the store
   *     is lost, true means that the lease was held when this was called and is not any more,
   *     whoever else may have released it at the same time. Nobody else's permits are touched
   * @throws IllegalArgumentException if this is not such an id
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean release(String id);

  /**
   * Asks for more time for a lease by its {@linkplain PermitLease#id() id}, whichever client
   * acquired it: at the store it then lasts for {@code lease} from now, or longer if it did so
   * before. The object that the acquiring client has does not know of it: if that lease is of fixed
   * length, the object turns invalid at the time that it knows, and the permits stay out.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @return false if it was not held any more; nothing has changed then
   * @throws IllegalArgumentException if this is not such an id, or the lease is outside that range
   * @throws StoreUnavailableException if the store does not answer
   */
  boolean renew(String id, Duration lease);

  /**
   * Asks the store how many permits are free; negative if the number was lowered below what is out.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  int availablePermits();

  /**
   * Sets how many permits there are, for all clients and for good, also while nobody uses the
   * semaphore. Waiters that fit are let in at once. Permits that are out stay out: if they are
   * more, {@link #availablePermits()} is negative until enough of them have been given back.
   *
   * @param permits at least 0
   * @throws IllegalArgumentException if negative
   * @throws StoreUnavailableException if the store does not answer
   */
  void setPermits(int permits);

  /**
   * As {@link #setPermits} with so many more (or fewer) permits than there are. Changes of several
   * clients at once add up.
   *
   * @return how many there are then
   * @throws IllegalArgumentException if there would be fewer than 0, or more than {@link
   *     Integer#MAX_VALUE}; nothing has changed then
   * @throws StoreUnavailableException if the store does not answer
   */
  int addPermits(int more);

  /**
   * Forgets what {@link #setPermits} or {@link #addPermits} have set: as soon as nobody uses the
   * semaphore, the next user's number counts again, and nothing is left at the store.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  void resetPermits();
}

package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A cyclic barrier over all clients of one store: a point that a fixed number of members pass
 * together, again and again.
 *
 * <p>Nobody passes before all have arrived; then all pass. Members are not named: the first {@link
 * #parties()} that wait make a group, the next ones the next. A member that gives up, by timeout,
 * interrupt or cancellation, or whose process dies, no longer counts and does not break the
 * barrier: the others wait until enough have arrived.
 *
 * <p>To begin and end something together, wait twice.
 */
public interface DistributedBarrier {

  /** Returns the resource's name. */
  String name();

  /** Returns how many members pass together. */
  int parties();

  /**
   * Waits until all members have arrived, as long as it takes.
   *
   * @throws InterruptedException if interrupted; the interrupted status is cleared. A member that
   *     is interrupted at the very moment at which the last one arrives may have been counted
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  void await() throws InterruptedException;

  /**
   * As {@link #await()}, for a limited time. Zero or less passes only if all others wait already. A
   * member whose time ends at the very moment at which the last one arrives may have been counted.
   *
   * @throws AcquireTimeoutException if the time passed first
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   */
  void await(Duration wait) throws InterruptedException;

  /**
   * As {@link #await()} without blocking. The stage completes on the client's executor. Cancelling
   * {@code toCompletableFuture()} gives up the place.
   */
  CompletionStage<Void> awaitAsync();

  /** As {@link #awaitAsync()}; fails with an {@link AcquireTimeoutException} after that time. */
  CompletionStage<Void> awaitAsync(Duration wait);

  /**
   * Asks the store how many members wait.
   *
   * @throws StoreUnavailableException if the store does not answer
   */
  int waiting();
}

package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A point that so many members, anywhere among the clients of one store, pass together, again and
 * again.
 *
 * <p>Nobody passes before all have come; then all pass. Members are not named: the first {@link
 * #parties()} that wait make a group, the next ones the next. One that gives up, by time-out,
 * interrupt or cancellation, or whose process dies, does not count any more and breaks nothing: the
 * others go on waiting until enough have come.
 *
 * <p>To begin and to end something together, wait twice.
 */
public interface DistributedBarrier {

  /** Returns the resource's name. */
  String name();

  /** Returns how many members pass together. */
  int parties();

  /**
   * Waits until all have come, as long as it takes.
   *
   * @throws InterruptedException if interrupted; the interrupted status is cleared. A member that
   *     is interrupted at the very moment at which the last one comes may have been counted
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  void await() throws InterruptedException;

  /**
   * As {@link #await()}, for a limited time. Zero or less passes only if all others wait already. A
   * member whose time ends at the very moment at which the last one comes may have been counted.
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

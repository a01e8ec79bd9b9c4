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
   * @throws InterruptedException if interrupted; the interrupted status is cleared. If all have
   *     arrived by then, it returns normally and the thread stays interrupted
   * @throws StoreUnavailableException if the store does not answer: it may have counted this member
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  void await() throws InterruptedException;

  /**
   * As {@link #await()}, for a limited time. Zero or less passes only if all others wait already.
   * When the time has passed the store is asked to count this member no more, which takes at most a
   * second: if all have arrived by then, it passes after all.
   *
   * @throws AcquireTimeoutException if the time passed first; nobody passes with this member
   * @throws StoreUnavailableException if the store does not answer: it may have counted this member
   * @throws InterruptedException if interrupted, as {@link #await()} says
   */
  void await(Duration wait) throws InterruptedException;

  /**
   * As {@link #await()} without blocking. The stage completes on the client's executor. Cancelling
   * {@code toCompletableFuture()} gives up the place; until the store knows, mostly a round trip
   * later, it may count this member.
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

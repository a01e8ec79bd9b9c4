package io.lockkeeper;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A gate that opens when it has been counted down to zero: {@link
 * java.util.concurrent.CountDownLatch} over many processes. The first caller sets it. Then it stays
 * in the store, even after it has opened, until it is deleted or its time to live is over.
 *
 * <p>Each count is made exactly once, also when the store's answer is lost. All waiters go on when
 * the count is zero: within about a second if the store's notification is lost.
 *
 * <p><b>Failures.</b> Methods that do not declare {@link InterruptedException} wait for the store
 * through interrupts. Every method throws {@link StoreUnavailableException} when the store has not
 * answered for the store timeout: its effect may then have happened, or may still happen. The same
 * is true of the {@link LockkeeperClosedException} that a method throws when the client is closed
 * meanwhile. {@link StoreRefusedException} means that nothing has changed.
 */
public interface DistributedCountDownLatch {

  /** Returns the latch's name. */
  String name();

  /**
   * Sets the latch if it is not set, and returns whether this call did. A latch that is open is
   * still set: to use the name again, delete it first.
   *
   * @param count how often the latch must be counted down until it opens; 0 makes an open latch
   * @throws IllegalArgumentException if the count is negative
   */
  boolean trySetCount(long count);

  /**
   * As {@link #trySetCount(long)}, with a time after which the store forgets the latch, open or
   * not.
   *
   * @param timeToLive from 50 milliseconds to 365 days
   * @throws IllegalArgumentException if the count is negative or the time is outside that range
   */
  boolean trySetCount(long count, Duration timeToLive);

  /** As {@link #trySetCount(long)}, without waiting; completes on the client's executor. */
  CompletionStage<Boolean> trySetCountAsync(long count);

  /**
   * As {@link #trySetCount(long, Duration)}, without waiting; completes on the client's executor.
   */
  CompletionStage<Boolean> trySetCountAsync(long count, Duration timeToLive);

  /**
   * Counts down by one. An open latch stays as it is.
   *
   * @throws IllegalStateException if the latch is not set: not yet, or not any more
   */
  default void countDown() {
    countDown(1);
  }

  /**
   * Counts down by several, to zero at the most.
   *
   * @throws IllegalArgumentException if {@code by} is not positive
   * @throws IllegalStateException if the latch is not set: not yet, or not any more
   */
  void countDown(long by);

  /** As {@link #countDown()}, without waiting; completes on the client's executor. */
  default CompletionStage<Void> countDownAsync() {
    return countDownAsync(1);
  }

  /** As {@link #countDown(long)}, without waiting; completes on the client's executor. */
  CompletionStage<Void> countDownAsync(long by);

  /** Returns how often the latch must still be counted down; empty if it is not set. */
  OptionalLong getCount();

  /** As {@link #getCount()}, without waiting; completes on the client's executor. */
  CompletionStage<OptionalLong> getCountAsync();

  /**
   * Waits until the latch is open. If the latch is not set, waits until it is set and counted down.
   *
   * @throws InterruptedException if interrupted on entry or while waiting
   * @throws LatchDeletedException if the latch was deleted meanwhile, or its time to live is over
   */
  void await() throws InterruptedException;

  /**
   * As {@link #await()}, for at most this time; zero or less looks once.
   *
   * @return whether the latch is open
   * @throws InterruptedException if interrupted on entry or while waiting
   * @throws LatchDeletedException if the latch was deleted meanwhile, or its time to live is over
   * @throws StoreUnavailableException if the store gave no answer at all in that time
   */
  boolean await(long time, TimeUnit unit) throws InterruptedException;

  /**
   * As {@link #await()}, without a thread: completes on the client's executor. Cancelling it ends
   * the wait.
   */
  CompletionStage<Void> awaitAsync();

  /**
   * Removes the latch and returns whether it was set. Waiters for it get a {@link
   * LatchDeletedException}.
   */
  boolean delete();

  /** As {@link #delete()}, without waiting; completes on the client's executor. */
  CompletionStage<Boolean> deleteAsync();
}

package io.lockkeeper;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * A number of 64 bits that all clients of a store share: {@link
 * java.util.concurrent.atomic.AtomicLong} over many processes. It begins at 0 and outlives its
 * clients: it stays until it is deleted.
 *
 * <p>Each change is made exactly once, also when the store's answer is lost: the request is
 * repeated under the same number. No method fails because others change the counter at the same
 * time. Changes that threads of a client ask for while a request is in progress share the next
 * request.
 *
 * <p><b>Failures.</b> Every method waits for the store, through interrupts (which keep the thread's
 * interrupted status). It throws {@link StoreUnavailableException} when the store has not answered
 * for the store timeout: the change may then have been made, or may still be. The same is true of
 * the {@link LockkeeperClosedException} that a method throws when the client is closed meanwhile.
 * {@link StoreRefusedException} means that nothing has changed. An asynchronous method completes on
 * the client's executor, with the same exceptions.
 *
 * <p>A change that would overflow 64 bits throws an {@link ArithmeticException} and leaves the
 * counter as it was.
 */
public interface DistributedCounter {

  /** Returns the counter's name. */
  String name();

  /** Returns the number. */
  long get();

  /** Sets the number. */
  void set(long value);

  /** Sets the number and returns the previous one. */
  long getAndSet(long value);

  /** Adds and returns the new number. */
  long addAndGet(long delta);

  /** Adds and returns the previous number. */
  long getAndAdd(long delta);

  /** Adds 1 and returns the new number. */
  default long incrementAndGet() {
    return addAndGet(1);
  }

  /** Subtracts 1 and returns the new number. */
  default long decrementAndGet() {
    return addAndGet(-1);
  }

  /** Adds 1 and returns the previous number. */
  default long getAndIncrement() {
    return getAndAdd(1);
  }

  /** Subtracts 1 and returns the previous number. */
  default long getAndDecrement() {
    return getAndAdd(-1);
  }

  /** Sets the number if it is the expected one, and returns whether it was. */
  boolean compareAndSet(long expected, long value);

  /** Sets the number to {@code value} if it is smaller, and returns the new number. */
  long maxAndGet(long value);

  /**
   * Replaces the number by the result of {@code function}, and returns the new number. The function
   * is called again if another change came in between, so it should have no side effects. Each such
   * repetition means that somebody else made progress.
   */
  long updateAndGet(LongUnaryOperator function);

  /** As {@link #updateAndGet}, but returns the previous number. */
  long getAndUpdate(LongUnaryOperator function);

  /**
   * Replaces the number by the result of {@code function} for it and {@code x}; returns the new
   * number.
   */
  default long accumulateAndGet(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return updateAndGet(number -> function.applyAsLong(number, x));
  }

  /** As {@link #accumulateAndGet}, but returns the previous number. */
  default long getAndAccumulate(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return getAndUpdate(number -> function.applyAsLong(number, x));
  }

  /** Removes the counter from the store, so that it is 0 again; returns whether it was there. */
  boolean delete();

  /** As {@link #get}, without waiting. */
  CompletionStage<Long> getAsync();

  /** As {@link #set}, without waiting. */
  CompletionStage<Void> setAsync(long value);

  /** As {@link #getAndSet}, without waiting. */
  CompletionStage<Long> getAndSetAsync(long value);

  /** As {@link #addAndGet}, without waiting. */
  CompletionStage<Long> addAndGetAsync(long delta);

  /** As {@link #getAndAdd}, without waiting. */
  CompletionStage<Long> getAndAddAsync(long delta);

  /** As {@link #incrementAndGet}, without waiting. */
  default CompletionStage<Long> incrementAndGetAsync() {
    return addAndGetAsync(1);
  }

  /** As {@link #decrementAndGet}, without waiting. */
  default CompletionStage<Long> decrementAndGetAsync() {
    return addAndGetAsync(-1);
  }

  /** As {@link #getAndIncrement}, without waiting. */
  default CompletionStage<Long> getAndIncrementAsync() {
    return getAndAddAsync(1);
  }

  /** As {@link #getAndDecrement}, without waiting. */
  default CompletionStage<Long> getAndDecrementAsync() {
    return getAndAddAsync(-1);
  }

  /** As {@link #compareAndSet}, without waiting. */
  CompletionStage<Boolean> compareAndSetAsync(long expected, long value);

  /** As {@link #maxAndGet}, without waiting. */
  CompletionStage<Long> maxAndGetAsync(long value);

  /** As {@link #updateAndGet}, without waiting; calls the function on the client's executor. */
  CompletionStage<Long> updateAndGetAsync(LongUnaryOperator function);

  /** As {@link #getAndUpdate}, without waiting; calls the function on the client's executor. */
  CompletionStage<Long> getAndUpdateAsync(LongUnaryOperator function);

  /** As {@link #accumulateAndGet}, without waiting; calls the function on the client's executor. */
  default CompletionStage<Long> accumulateAndGetAsync(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return updateAndGetAsync(number -> function.applyAsLong(number, x));
  }

  /** As {@link #getAndAccumulate}, without waiting; calls the function on the client's executor. */
  default CompletionStage<Long> getAndAccumulateAsync(long x, LongBinaryOperator function) {
    Objects.requireNonNull(function, "function");
    return getAndUpdateAsync(number -> function.applyAsLong(number, x));
  }

  /** As {@link #delete}, without waiting. */
  CompletionStage<Boolean> deleteAsync();
}

package io.lockkeeper.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What an asynchronous caller is given: a future, and how to make what it waits for out of a hold.
 *
 * @param <T> what it waits for
 */
final class Promise<T extends @Nullable Object> {

  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final BiFunction<Gate, Hold, T> made;

  Promise(BiFunction<Gate, Hold, T> made) {
    this.made = made;
  }

  /** Waits for news that bring nothing to hold. */
  static Promise<@Nullable Void> ofNews() {
    return new Promise<>((gate, hold) -> null);
  }

  CompletableFuture<T> future() {
    return future;
  }

  /** Tells of a grant; returns false if nobody wants it any more. */
  boolean keep(Gate gate, Hold hold) {
    return future.complete(made.apply(gate, hold));
  }

  void fail(RuntimeException failure) {
    future.completeExceptionally(failure);
  }
}

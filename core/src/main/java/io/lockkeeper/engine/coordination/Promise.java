package io.lockkeeper.engine.coordination;

import io.lockkeeper.engine.state.GrantListener;
import io.lockkeeper.engine.state.Hold;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Promises an asynchronous caller what it waits for: a future, and how to make that out of a hold.
 *
 * @param <T> what it waits for
 */
public final class Promise<T extends @Nullable Object> {

  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final BiFunction<ResourceCoordinator, Hold, T> made;

  /** The observation of the request; set before anything is asked. */
  private @Nullable Observation observation;

  /**
   * Creates one.
   *
   * @param made makes what is promised
   */
  public Promise(BiFunction<ResourceCoordinator, Hold, T> made) {
    this.made = made;
  }

  /** Promises news that bring nothing to hold. */
  public static Promise<@Nullable Void> ofNews() {
    return new Promise<>((coordinator, hold) -> null);
  }

  /** Returns what the caller gets. */
  public CompletableFuture<T> future() {
    return future;
  }

  /** Lets observers see the request until it is over. */
  void observe(Observation by) {
    observation = by;
    CompletionStage<T> stage = future;
    stage.whenComplete(
        (kept, failure) -> {
          if (failure != null) {
            by.ended(failure); // cancelled by the caller
          }
        });
  }

  boolean isObserved() {
    return observation != null;
  }

  /** Breaks the promise. */
  public void fail(Throwable failure) {
    if (observation != null && !future.isDone()) {
      observation.ended(failure);
    }
    future.completeExceptionally(failure);
  }

  /** Returns the listener for the end of the request at a coordinator. */
  GrantListener at(ResourceCoordinator coordinator) {
    return new GrantListener() {
      @Override
      public boolean granted(Hold hold) {
        if (observation != null
            && !observation.acquired(coordinator, hold, coordinator.runtime().now())) {
          return false; // cancelled
        }
        return future.complete(made.apply(coordinator, hold));
      }

      @Override
      public void failed(RuntimeException failure) {
        fail(failure);
      }
    };
  }
}

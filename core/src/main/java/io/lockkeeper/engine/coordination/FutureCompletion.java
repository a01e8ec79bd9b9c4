package io.lockkeeper.engine.coordination;

import io.lockkeeper.engine.state.Completion;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Completes a future.
 *
 * @param future what is completed
 */
record FutureCompletion(CompletableFuture<@Nullable Void> future) implements Completion {

  @Override
  public void done() {
    future.complete(null);
  }

  @Override
  public void fail(RuntimeException failure) {
    future.completeExceptionally(failure);
  }
}

package io.lockkeeper.engine.register;

import io.lockkeeper.engine.state.Receiver;
import java.util.concurrent.CompletableFuture;

/**
 * Completes a future.
 *
 * @param <T> what is asked for
 * @param future what is completed
 */
record FutureReceiver<T>(CompletableFuture<T> future) implements Receiver<T> {

  @Override
  public void receive(T answer) {
    future.complete(answer);
  }

  @Override
  public void fail(RuntimeException failure) {
    future.completeExceptionally(failure);
  }
}

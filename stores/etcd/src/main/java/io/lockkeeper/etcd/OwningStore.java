package io.lockkeeper.etcd;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.DelegatingStore;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store whose client has threads of its own: its closing waits for their end, since the class
 * loader may be closed after that. It waits for two seconds at most, if the servers do not answer.
 */
final class OwningStore extends DelegatingStore {

  private static final long LONGEST_END_MILLIS = 2_000;

  private final CompletableFuture<Boolean> ended;
  private final Vertx threads;

  /**
   * Creates it.
   *
   * @param ended completes when the client has been closed
   * @param threads those of the client
   */
  OwningStore(Store store, CompletableFuture<Boolean> ended, Vertx threads) {
    super(store);
    this.ended = ended;
    this.threads = threads;
  }

  @Override
  public void close() {
    Answers.uninterrupted(
        () -> {
          store.close();
          awaitEnd();
        });
  }

  private void awaitEnd() {
    try {
      var unused =
          ended
              .thenCompose(done -> threads.close().toCompletionStage())
              .get(LONGEST_END_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // They end when the servers have answered, or the requests are given up.
    }
  }
}

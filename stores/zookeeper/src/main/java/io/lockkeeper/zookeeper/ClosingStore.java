package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.support.Answers;
import io.lockkeeper.spi.support.DelegatingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store that closes its connection with it: on the thread that closes it, because the driver's
 * own would wait for itself.
 */
final class ClosingStore extends DelegatingStore {

  private static final long LONGEST_END_MILLIS = 2_000;

  private final CompletableFuture<Boolean> ended;
  private final Connection connection;

  /**
   * Creates it.
   *
   * @param ended completes when the store has no more use for the connection
   */
  ClosingStore(Store store, CompletableFuture<Boolean> ended, Connection connection) {
    super(store);
    this.ended = ended;
    this.connection = connection;
  }

  @Override
  public void close() {
    Answers.uninterrupted(
        () -> {
          store.close();
          awaitEnd();
          connection.close();
        });
  }

  private void awaitEnd() {
    try {
      var unused = ended.get(LONGEST_END_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // What is bound to the client goes with its session.
    }
  }
}

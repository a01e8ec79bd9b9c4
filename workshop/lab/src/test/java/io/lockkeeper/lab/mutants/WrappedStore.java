package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.support.DelegatingStore;
import io.lockkeeper.spi.support.ForwardingListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A store that does what another one does. The other one answers at once, as the memory does. */
class WrappedStore extends DelegatingStore {

  WrappedStore(Store store) {
    super(store);
  }

  /** Returns what the other store has answered. */
  static <T> T now(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  static <T> CompletionStage<T> done(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  /** Notifications, passed on; to be changed. */
  static class WrappedListener extends ForwardingListener {

    final NotificationListener listener;

    WrappedListener(NotificationListener listener) {
      this.listener = listener;
    }

    @Override
    protected void forward(Consumer<NotificationListener> notification) {
      notification.accept(listener);
    }
  }
}

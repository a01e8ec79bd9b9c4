package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.support.ForwardingListener;
import io.lockkeeper.spi.support.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store that does what another one does. The other one answers at once, as the memory does. */
class WrappedStore extends ForwardingStore {

  final Store store;

  WrappedStore(Store store) {
    this.store = store;
  }

  /** Returns what the other store has answered. */
  static <T> T now(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  static <T> CompletionStage<T> done(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  @Override
  public StoreTraits traits() {
    return store.traits();
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public void listen(NotificationListener listener) {
    store.listen(listener);
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  protected <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
    return request.apply(store);
  }

  @Override
  protected <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
    return request.apply(store);
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

package io.lockkeeper.spi.support;

import io.lockkeeper.Quarantine;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreTraits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store that does all that another one does. Its subclasses do something differently. */
public abstract class DelegatingStore extends ForwardingStore {

  /** The other store. */
  protected final Store store;

  /** Creates it. */
  protected DelegatingStore(Store store) {
    this.store = store;
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

  @Override
  public StoreTraits traits() {
    return store.traits();
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Optional<Quarantine> quarantine() {
    return store.quarantine();
  }

  @Override
  public void listen(NotificationListener listener) {
    store.listen(listener);
  }

  @Override
  public void close() {
    store.close();
  }
}

package io.lockkeeper.lab.mutants;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreTraits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that does what another one does. The other one answers at once, as the memory does. */
class WrappedStore implements Store {

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
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return store.claim(request);
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return store.release(request);
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(ResourceId resource, long claim) {
    return store.withdraw(resource, claim);
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    return store.renew(batch);
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return store.poll(batch);
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return store.inspect(resource);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return store.forceRelease(request);
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return store.resources(listing);
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return store.cells(listing);
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return store.clients(ids);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return store.resize(request);
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return store.update(update);
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return store.read(batch);
  }

  @Override
  public void close() {
    store.close();
  }

  /** Notifications, passed on; to be changed. */
  static class WrappedListener implements NotificationListener {

    final NotificationListener listener;

    WrappedListener(NotificationListener listener) {
      this.listener = listener;
    }

    @Override
    public void granted(ResourceId resource, io.lockkeeper.spi.Grant grant) {
      listener.granted(resource, grant);
    }

    @Override
    public void contended(ResourceId resource) {
      listener.contended(resource);
    }

    @Override
    public void revoked(ResourceId resource) {
      listener.revoked(resource);
    }

    @Override
    public void cellChanged(io.lockkeeper.spi.CellId cell) {
      listener.cellChanged(cell);
    }

    @Override
    public void reconnected() {
      listener.reconnected();
    }
  }
}

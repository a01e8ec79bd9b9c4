package io.lockkeeper.spi.support;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
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
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A store that passes each request on to another one, in one way for all of them. */
public abstract class ForwardingStore implements Store {

  /** Creates it. */
  protected ForwardingStore() {}

  /**
   * Passes a request with one answer on.
   *
   * @param method the name of its method
   * @param about what is asked
   * @param request asks a store
   */
  protected abstract <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request);

  /**
   * Passes a batch of requests on, each of which has an answer.
   *
   * @param method the name of their method
   * @param batch a copy of what is asked
   * @param request asks a store
   */
  protected abstract <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request);

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return one("claim", request, store -> store.claim(request));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return one("release", request, store -> store.release(request));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return one("withdraw", List.of(resource, claim), store -> store.withdraw(resource, claim));
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    List<RenewRequest> copy = List.copyOf(batch);
    return each("renew", copy, store -> store.renew(copy));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    List<PollRequest> copy = List.copyOf(batch);
    return each("poll", copy, store -> store.poll(copy));
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return one("inspect", resource, store -> store.inspect(resource));
  }

  @Override
  public CompletionStage<List<Outcome<Inspection>>> inspect(List<ResourceId> batch) {
    List<ResourceId> copy = List.copyOf(batch);
    return each("inspect", copy, store -> store.inspect(copy));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return one("forceRelease", request, store -> store.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return one("namespaces", "all", Store::namespaces);
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return one("resources", listing, store -> store.resources(listing));
  }

  @Override
  public CompletionStage<Outcome<Optional<List<Glance>>>> glance(Listing<ResourceId> listing) {
    return one("glance", listing, store -> store.glance(listing));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return one("cells", listing, store -> store.cells(listing));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return one("clients", ids, store -> store.clients(ids));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return one("resize", request, store -> store.resize(request));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return one("update", update, store -> store.update(update));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<CellRead> copy = List.copyOf(batch);
    return each("read", copy, store -> store.read(copy));
  }
}

package io.lockkeeper.bench.simulated;

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
import io.lockkeeper.spi.Grant;
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
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A client's connection to the store: what is sent arrives later and in order, and is counted. */
final class VirtualLink implements Store {

  private final VirtualTime time;
  private final SplittableRandom random;
  private final long latencyNanos;
  private final Messages messages;
  private final Store store;
  private long lastArrivalNanos;
  private long lastDeliveryNanos;

  /**
   * Connects a client.
   *
   * @param latencyNanos how long a message is on its way at least; some take twice as long
   * @param messages where they are counted
   */
  VirtualLink(
      VirtualTime time,
      SplittableRandom random,
      long latencyNanos,
      Messages messages,
      Store store) {
    this.time = time;
    this.random = random;
    this.latencyNanos = latencyNanos;
    this.messages = messages;
    this.store = store;
  }

  @Override
  public StoreTraits traits() {
    return store.traits();
  }

  @Override
  public String describe() {
    return "simulated";
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return send("claim", () -> store.claim(request));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return send("release", () -> store.release(request));
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(ResourceId resource, long claim) {
    return send("withdraw", () -> store.withdraw(resource, claim));
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    List<RenewRequest> copy = List.copyOf(batch);
    return send("renew", () -> store.renew(copy));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    List<PollRequest> copy = List.copyOf(batch);
    return send("poll", () -> store.poll(copy));
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return send("inspect", () -> store.inspect(resource));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return send("forceRelease", () -> store.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return send("resources", () -> store.resources(listing));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return send("cells", () -> store.cells(listing));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return send("clients", () -> store.clients(ids));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return send("resize", () -> store.resize(request));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return send("update", () -> store.update(update));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<CellRead> copy = List.copyOf(batch);
    return send("read", () -> store.read(copy));
  }

  private <T> CompletionStage<T> send(String kind, Supplier<CompletionStage<T>> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    messages.addRequest(kind);
    lastArrivalNanos = Math.max(lastArrivalNanos, time.nanos() + latency());
    time.at(
        lastArrivalNanos,
        () -> {
          T result = call.get().toCompletableFuture().join();
          messages.addReply();
          deliver(() -> answer.complete(result));
        });
    return answer;
  }

  @Override
  public void listen(NotificationListener listener) {
    store.listen(
        new NotificationListener() {
          @Override
          public void granted(ResourceId resource, Grant grant) {
            push(() -> listener.granted(resource, grant));
          }

          @Override
          public void contended(ResourceId resource) {
            push(() -> listener.contended(resource));
          }

          @Override
          public void revoked(ResourceId resource) {
            push(() -> listener.revoked(resource));
          }

          @Override
          public void cellChanged(CellId cell) {
            push(() -> listener.cellChanged(cell));
          }

          @Override
          public void reconnected() {
            deliver(listener::reconnected);
          }
        });
  }

  private void push(Runnable notification) {
    messages.addPush();
    deliver(notification);
  }

  private void deliver(Runnable news) {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, time.nanos() + latency());
    time.at(lastDeliveryNanos, news);
  }

  private long latency() {
    return latencyNanos + random.nextLong(latencyNanos);
  }

  @Override
  public void close() {
    store.close();
  }
}

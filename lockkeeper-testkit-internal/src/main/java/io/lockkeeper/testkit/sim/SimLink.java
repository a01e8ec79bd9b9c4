package io.lockkeeper.testkit.sim;

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
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A client's connection to the store under simulation: latency, and requests, replies and pushes
 * that get lost or come too late. What is not lost arrives in the order in which it was sent.
 */
final class SimLink implements Store {

  private static final int SPIKE_ONE_IN = 50;
  private static final int SPIKE_FACTOR = 20;

  private final SimWorld world;
  private final SimProcess process;
  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimRun run;
  private final SimNode node;
  private final String clientId;
  private final Store store;

  private long lastArrivalNanos;
  private long lastDeliveryNanos;

  /**
   * Connects a process with a server.
   *
   * @param context who opens it
   */
  SimLink(
      SimRun run, SimProcess process, SplittableRandom random, SimNode node, StoreContext context) {
    this.run = run;
    this.world = run.world;
    this.process = process;
    this.random = random;
    this.plan = run.plan;
    this.node = node;
    this.clientId = context.clientId();
    this.store = node.server().factory().open(context);
  }

  @Override
  public StoreTraits traits() {
    return store.traits();
  }

  @Override
  public String describe() {
    return "simulated " + node;
  }

  // ------------------------------------------------------------- requests

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return one(request, () -> store.claim(request));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return one(request, () -> store.release(request));
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(ResourceId resource, long claim) {
    return one(
        "withdraw " + claim + " of " + resource,
        () -> {
          node.withdrew(clientId, claim);
          return store.withdraw(resource, claim);
        });
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    List<RenewRequest> copy = List.copyOf(batch);
    return send(copy, () -> store.renew(copy), () -> unknowns(copy.size()));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    List<PollRequest> copy = List.copyOf(batch);
    return send(copy, () -> store.poll(copy), () -> unknowns(copy.size()));
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return one("inspect " + resource, () -> store.inspect(resource));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return one(request, () -> store.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return one("resources", () -> store.resources(listing));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return one("cells", () -> store.cells(listing));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return one("clients " + ids, () -> store.clients(ids));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return one(request, () -> store.resize(request));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return one(update, () -> store.update(update));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<CellRead> copy = List.copyOf(batch);
    return send(copy, () -> store.read(copy), () -> unknowns(copy.size()));
  }

  private <T> CompletionStage<Outcome<T>> one(
      Object what, Supplier<CompletionStage<Outcome<T>>> call) {
    return send(what, call, SimLink::unknown);
  }

  private static <T> Outcome<T> unknown() {
    return Outcome.unknown(new IOException("simulated: no answer"));
  }

  private static <T> List<Outcome<T>> unknowns(int size) {
    return Stream.<Outcome<T>>generate(SimLink::unknown).limit(size).toList();
  }

  private <T> CompletionStage<T> send(
      Object what, Supplier<CompletionStage<T>> call, Supplier<T> unknown) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    long timeout = world.nowNanos() + plan.timeoutMillis() * 1_000_000L;
    boolean late = run.isFaulty() && random.nextInt(100) < plan.lateness();
    boolean lost = run.isFaulty() && random.nextInt(100) < plan.lossPercent();
    boolean throwsUp = run.isFaulty() && random.nextInt(100) < plan.throwPercent();
    if (node.isDown() || (lost && !late && random.nextBoolean())) {
      world.at(timeout, process, () -> answer.complete(unknown.get())); // the request was lost
      return answer;
    }
    if (throwsUp && random.nextBoolean()) {
      throw SimFault.any(random); // before anything was sent
    }
    long arrival = Math.max(lastArrivalNanos, world.nowNanos() + latency());
    if (late) {
      arrival = timeout + random.nextLong(plan.timeoutMillis() * 2_000_000L);
    } else {
      lastArrivalNanos = arrival;
    }
    boolean answered = !throwsUp && !late && !lost && arrival < timeout;
    world.at(
        arrival,
        null,
        () -> {
          T result = call.get().toCompletableFuture().join();
          String fate = answered ? "" : " (unheard)";
          world.trace(() -> process + " at " + node + ": " + what + " -> " + result + fate);
          if (answered) {
            deliver(() -> answer.complete(result));
          }
        });
    if (throwsUp) {
      return strange(answer, timeout);
    }
    if (!answered) {
      world.at(timeout, process, () -> answer.complete(unknown.get()));
    }
    return answer;
  }

  /** Says of a request that was sent what no store should. */
  @SuppressWarnings("NullAway") // that is what it is about
  private <T> CompletionStage<T> strange(CompletableFuture<T> answer, long timeout) {
    switch (random.nextInt(4)) {
      case 0 -> throw SimFault.any(random);
      case 1 -> {
        return null;
      }
      case 2 -> world.at(timeout, process, () -> answer.complete(null));
      default -> {
        Throwable failure = SimFault.make(random);
        world.at(timeout, process, () -> answer.completeExceptionally(failure));
      }
    }
    return answer;
  }

  // ------------------------------------------------------------- deliveries

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
    if (!node.isDown() && (!run.isFaulty() || random.nextInt(100) >= plan.pushLossPercent())) {
      deliver(notification);
    }
  }

  private void deliver(Runnable news) {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, world.nowNanos() + latency());
    world.at(lastDeliveryNanos, process, news);
  }

  private long latency() {
    long micros = 1 + random.nextLong(2L * plan.latencyMicros());
    return 1_000 * (random.nextInt(SPIKE_ONE_IN) == 0 ? micros * SPIKE_FACTOR : micros);
  }

  @Override
  public void close() {
    store.close();
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.support.ForwardingListener;
import io.lockkeeper.spi.support.ForwardingStore;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A client's connection to the store under simulation: latency, and requests, replies and pushes
 * that get lost or come too late. What is not lost arrives in the order in which it was sent.
 */
final class SimLink extends ForwardingStore {

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
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return one(
        "withdraw",
        claim + " of " + resource,
        server -> {
          node.withdrew(clientId, claim);
          return server.withdraw(resource, claim);
        });
  }

  @Override
  protected <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
    return send(method, about, request, SimLink::unknown);
  }

  @Override
  protected <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
    return send(method, batch, request, () -> unknowns(batch.size()));
  }

  private static <T> Outcome<T> unknown() {
    return Outcome.unknown(new IOException("simulated: no answer"));
  }

  private static <T> List<Outcome<T>> unknowns(int size) {
    return Stream.<Outcome<T>>generate(SimLink::unknown).limit(size).toList();
  }

  private <T> CompletionStage<T> send(
      String method,
      Object about,
      Function<Store, CompletionStage<T>> request,
      Supplier<T> unknown) {
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
          T result = request.apply(store).toCompletableFuture().join();
          String fate = answered ? "" : " (unheard)";
          world.trace(
              () -> process + " at " + node + ": " + method + " " + about + " -> " + result + fate);
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
        new ForwardingListener() {
          @Override
          protected void forward(Consumer<NotificationListener> notification) {
            if (!node.isDown() && (!run.isFaulty() || !isPushLost())) {
              deliver(() -> notification.accept(listener));
            }
          }

          @Override
          public void reconnected() {
            deliver(listener::reconnected); // no message
          }
        });
  }

  private boolean isPushLost() {
    return random.nextInt(100) < plan.pushLossPercent();
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

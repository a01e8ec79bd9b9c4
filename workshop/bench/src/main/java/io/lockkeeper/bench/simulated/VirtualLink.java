package io.lockkeeper.bench.simulated;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.support.DelegatingStore;
import io.lockkeeper.spi.support.ForwardingListener;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** A client's connection to the store: what is sent arrives later and in order, and is counted. */
final class VirtualLink extends DelegatingStore {

  private final VirtualTime time;
  private final SplittableRandom random;
  private final long latencyNanos;
  private final Messages messages;
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
    super(store);
    this.time = time;
    this.random = random;
    this.latencyNanos = latencyNanos;
    this.messages = messages;
  }

  @Override
  public String describe() {
    return "simulated";
  }

  @Override
  protected <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
    return send(method, request);
  }

  @Override
  protected <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
    return send(method, request);
  }

  private <T> CompletionStage<T> send(String kind, Function<Store, CompletionStage<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    messages.addRequest(kind);
    lastArrivalNanos = Math.max(lastArrivalNanos, time.nanos() + latency());
    time.at(
        lastArrivalNanos,
        () -> {
          T result = request.apply(store).toCompletableFuture().join();
          messages.addReply();
          deliver(() -> answer.complete(result));
        });
    return answer;
  }

  @Override
  public void listen(NotificationListener listener) {
    store.listen(
        new ForwardingListener() {
          @Override
          protected void forward(Consumer<NotificationListener> notification) {
            messages.addPush();
            deliver(() -> notification.accept(listener));
          }

          @Override
          public void reconnected() {
            deliver(listener::reconnected); // no message
          }
        });
  }

  private void deliver(Runnable news) {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, time.nanos() + latency());
    time.at(lastDeliveryNanos, news);
  }

  private long latency() {
    return latencyNanos + random.nextLong(latencyNanos);
  }
}

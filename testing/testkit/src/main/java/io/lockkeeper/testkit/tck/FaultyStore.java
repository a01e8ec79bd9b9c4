package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.support.ForwardingListener;
import io.lockkeeper.spi.support.ForwardingStore;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store behind {@link Faults}. */
final class FaultyStore extends ForwardingStore {

  /**
   * How long a request goes unanswered on a silent way, as a driver's command timeout would end it.
   */
  private static final long COMMAND_TIMEOUT_NANOS = Delays.millis(1_000).toNanos();

  private final Store store;
  private final Faults faults;

  FaultyStore(Store store, Faults faults) {
    this.store = store;
    this.faults = faults;
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
    faults.listener(listener);
    store.listen(
        new ForwardingListener() {
          @Override
          protected void forward(Consumer<NotificationListener> notification) {
            if (!faults.areNotificationsLost()) {
              notification.accept(listener);
            }
          }
        });
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return ask(changed(it -> it.release(request)), new ReleaseAnswer(true, null, null));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return ask(it -> it.withdraw(resource, claim), WithdrawAnswer.LEFT);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return ask(changed(it -> it.forceRelease(request)), null);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return ask(changed(it -> it.resize(request)), null);
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  protected <T> CompletionStage<Outcome<T>> one(
      String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
    return ask(request, null);
  }

  @Override
  protected <T> CompletionStage<List<Outcome<T>>> each(
      String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
    Outcome<T> unknown = unknown();
    return pass(request, Collections.nCopies(batch.size(), unknown));
  }

  /** Asks, or not; {@code whenDead} answers a killed client, so that its clean-up ends soon. */
  private <T> CompletionStage<Outcome<T>> ask(
      Function<Store, CompletionStage<Outcome<T>>> request, @Nullable T whenDead) {
    if (faults.way() == Faults.Way.DEAD && whenDead != null) {
      return CompletableFuture.completedFuture(Outcome.answered(whenDead));
    }
    return pass(request, FaultyStore.<T>unknown());
  }

  private <T> Function<Store, CompletionStage<Outcome<T>>> changed(
      Function<Store, CompletionStage<Outcome<T>>> change) {
    return asked -> {
      if (faults.areChangesRefused()) {
        return CompletableFuture.completedFuture(FaultyStore.<T>unknown());
      }
      boolean lost = faults.takeLostReplyToChange();
      CompletionStage<Outcome<T>> answer = change.apply(asked);
      return lost ? answer.thenApply(forgotten -> FaultyStore.<T>unknown()) : answer;
    };
  }

  private <A> CompletionStage<A> pass(Function<Store, CompletionStage<A>> request, A unknown) {
    faults.counted();
    faults.begun();
    CompletionStage<A> answer = CompletableFuture.completedFuture(unknown);
    Faults.Way way = faults.way();
    try {
      if (way == Faults.Way.OPEN) {
        boolean lost = faults.takeLostReply();
        CompletionStage<A> reply = request.apply(store);
        answer = lost ? reply.thenApply(forgotten -> unknown) : reply;
      }
    } finally {
      var unused = answer.whenComplete((any, failure) -> faults.ended());
    }
    return way == Faults.Way.SILENT
        ? new CompletableFuture<A>()
            .completeOnTimeout(unknown, COMMAND_TIMEOUT_NANOS, TimeUnit.NANOSECONDS)
        : answer;
  }

  private static <T> Outcome<T> unknown() {
    return Outcome.unknown(new IOException("no answer, by the test's wish"));
  }
}

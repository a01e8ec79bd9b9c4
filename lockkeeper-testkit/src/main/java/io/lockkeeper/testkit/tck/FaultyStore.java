package io.lockkeeper.testkit.tck;

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
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store behind {@link Faults}. */
final class FaultyStore implements Store {

  /**
   * How long a request goes unanswered on a silent way, as a driver's command timeout would end it.
   */
  static final long COMMAND_TIMEOUT_NANOS = Delays.millis(1_000).toNanos();

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
    store.listen(new Filter(listener));
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return ask(() -> store.claim(request), null);
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return ask(() -> changed(() -> store.release(request)), new ReleaseAnswer(true, null, null));
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(ResourceId resource, long claim) {
    return ask(() -> store.withdraw(resource, claim), Done.DONE);
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    return askAll(() -> store.renew(batch), batch.size());
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return askAll(() -> store.poll(batch), batch.size());
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return ask(() -> store.inspect(resource), null);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return ask(() -> changed(() -> store.forceRelease(request)), null);
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return ask(() -> store.resources(listing), null);
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return ask(() -> store.cells(listing), null);
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return ask(() -> store.clients(ids), null);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return ask(() -> changed(() -> store.resize(request)), null);
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return ask(() -> store.update(update), null);
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return askAll(() -> store.read(batch), batch.size());
  }

  @Override
  public void close() {
    store.close();
  }

  /**
   * Asks, or not; {@code whenDead} is what a killed client is told, so that its clean-up ends soon.
   */
  private <T> CompletionStage<Outcome<T>> ask(
      Supplier<CompletionStage<Outcome<T>>> question, @Nullable T whenDead) {
    if (faults.way() == Faults.Way.DEAD && whenDead != null) {
      return CompletableFuture.completedFuture(Outcome.answered(whenDead));
    }
    return pass(question, FaultyStore.<T>unknown());
  }

  private <T> CompletionStage<Outcome<T>> changed(Supplier<CompletionStage<Outcome<T>>> change) {
    if (faults.areChangesRefused()) {
      return CompletableFuture.completedFuture(FaultyStore.<T>unknown());
    }
    boolean lost = faults.takeLostReplyToChange();
    CompletionStage<Outcome<T>> answer = change.get();
    return lost ? answer.thenApply(forgotten -> FaultyStore.<T>unknown()) : answer;
  }

  private <T> CompletionStage<List<Outcome<T>>> askAll(
      Supplier<CompletionStage<List<Outcome<T>>>> question, int size) {
    Outcome<T> unknown = unknown();
    return pass(question, Collections.nCopies(size, unknown));
  }

  private <A> CompletionStage<A> pass(Supplier<CompletionStage<A>> question, A unknown) {
    faults.counted();
    faults.begun();
    CompletionStage<A> answer = CompletableFuture.completedFuture(unknown);
    Faults.Way way = faults.way();
    try {
      if (way == Faults.Way.OPEN) {
        boolean lost = faults.takeLostReply();
        CompletionStage<A> reply = question.get();
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

  /** Lets notifications through, or not. */
  private final class Filter implements NotificationListener {

    private final NotificationListener listener;

    Filter(NotificationListener listener) {
      this.listener = listener;
    }

    @Override
    public void granted(ResourceId resource, Grant grant) {
      tell(hears -> hears.granted(resource, grant));
    }

    @Override
    public void contended(ResourceId resource) {
      tell(hears -> hears.contended(resource));
    }

    @Override
    public void revoked(ResourceId resource) {
      tell(hears -> hears.revoked(resource));
    }

    @Override
    public void cellChanged(CellId cell) {
      tell(hears -> hears.cellChanged(cell));
    }

    @Override
    public void reconnected() {
      tell(NotificationListener::reconnected);
    }

    private void tell(Consumer<NotificationListener> notification) {
      if (!faults.areNotificationsLost()) {
        notification.accept(listener);
      }
    }
  }
}

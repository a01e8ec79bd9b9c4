package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a store under test, without an engine: it asks about one resource, waits for each
 * answer, and writes down the notifications.
 *
 * <p>This file is long because each operation of a store has a method here.
 */
public final class StoreClient {

  /** A notification that came. */
  record Heard(String kind, ResourceId resource, @Nullable Grant grant) {}

  /** How long a change of a limit is remembered. */
  static final long REMEMBER_MILLIS = 60_000;

  private final Store store;
  private final String id;
  private final ResourceId resource;
  private final List<Heard> notifications;

  StoreClient(Store store, String id, ResourceId resource) {
    this(store, id, resource, new CopyOnWriteArrayList<>());
    store.listen(new Notebook(notifications));
  }

  private StoreClient(Store store, String id, ResourceId resource, List<Heard> notifications) {
    this.store = store;
    this.id = id;
    this.resource = resource;
    this.notifications = notifications;
  }

  /** Returns the same client, asking about another resource. */
  StoreClient on(ResourceId otherResource) {
    return new StoreClient(store, id, otherResource, notifications);
  }

  String id() {
    return id;
  }

  Store store() {
    return store;
  }

  /** Returns a request to wait for a long lease with one token. */
  ClaimRequest request(long claim) {
    return new ClaimRequest(resource, claim, StoreRules.LEASE_MILLIS, 1, true);
  }

  ClaimRequest request(long claim, long leaseMillis, int tokens) {
    return new ClaimRequest(resource, claim, leaseMillis, tokens, true);
  }

  /** Returns a request to wait for a share for a long time. */
  ClaimRequest request(long claim, Share share) {
    return request(claim, StoreRules.LEASE_MILLIS, share);
  }

  ClaimRequest request(long claim, long leaseMillis, Share share) {
    return new ClaimRequest(resource, claim, leaseMillis, 1, true, share);
  }

  ClaimAnswer ask(ClaimRequest request) {
    return answer(store.claim(request));
  }

  ClaimAnswer askOnce(long claim) {
    return ask(new ClaimRequest(resource, claim, StoreRules.LEASE_MILLIS, 1, false));
  }

  ClaimAnswer askOnce(long claim, Share share) {
    return ask(new ClaimRequest(resource, claim, StoreRules.LEASE_MILLIS, 1, false, share));
  }

  /** Claims, and expects to get it at once. */
  Grant claim(long claim, Share share) {
    return claim(request(claim, share));
  }

  /** Claims, and expects to have to wait. */
  Queued queue(long claim, Share share) {
    return queue(request(claim, share));
  }

  /** Claims, and expects to get it at once. */
  Grant claim(long claim) {
    return claim(request(claim));
  }

  /** Claims, and expects to get it at once. */
  Grant claim(ClaimRequest request) {
    ClaimAnswer answer = ask(request);
    assertThat(answer).isInstanceOf(ClaimAnswer.Granted.class);
    return ((ClaimAnswer.Granted) answer).grant();
  }

  /** Claims, and expects to have to wait. */
  Queued queue(long claim) {
    return queue(request(claim));
  }

  /** Claims, and expects to have to wait. */
  Queued queue(ClaimRequest request) {
    ClaimAnswer answer = ask(request);
    assertThat(answer).isInstanceOf(Queued.class);
    return (Queued) answer;
  }

  /** Releases with all tokens used. */
  ReleaseAnswer release(Grant grant) {
    return release(grant, grant.lastToken(), null);
  }

  ReleaseAnswer release(Grant grant, long usedToken, @Nullable ClaimRequest requeue) {
    return answer(store.release(new ReleaseRequest(resource, grant.grant(), usedToken, requeue)));
  }

  /** Releases a grant that may be another client's, and returns whether it was current. */
  boolean releaseOf(String owner, Grant grant) {
    return answer(
            store.release(
                new ReleaseRequest(resource, owner, grant.grant(), grant.lastToken(), null)))
        .released();
  }

  /** Withdraws a claim, and returns whether it had passed a barrier. */
  boolean withdraw(long claim) {
    return answer(store.withdraw(resource, claim)).hasPassed();
  }

  RenewAnswer renew(Grant grant, long leaseMillis) {
    return renew(List.of(new RenewRequest(resource, grant.grant(), leaseMillis))).get(0);
  }

  /** Renews a grant that may be another client's, and returns whether it was current. */
  boolean renewOf(String owner, Grant grant, long leaseMillis) {
    return renew(List.of(new RenewRequest(resource, owner, grant.grant(), leaseMillis, 0)))
        .get(0)
        .renewed();
  }

  /** Gives back all but so many permits, and returns whether the grant was current. */
  boolean shrink(Grant grant, int permits) {
    return renew(
            List.of(
                new RenewRequest(resource, null, grant.grant(), StoreRules.LEASE_MILLIS, permits)))
        .get(0)
        .renewed();
  }

  List<RenewAnswer> renew(List<RenewRequest> batch) {
    return value(store.renew(batch)).stream().map(StoreClient::answered).toList();
  }

  PollAnswer poll(long claim) {
    return poll(List.of(new PollRequest(resource, claim))).get(0);
  }

  List<PollAnswer> poll(List<PollRequest> batch) {
    return value(store.poll(batch)).stream().map(StoreClient::answered).toList();
  }

  /** Looks, and expects to hold the resource. */
  Grant lookGranted(long claim) {
    PollAnswer answer = poll(claim);
    assertThat(answer).isInstanceOf(PollAnswer.Granted.class);
    return ((PollAnswer.Granted) answer).grant();
  }

  /** Looks, and expects to wait. */
  Queued lookQueued(long claim) {
    PollAnswer answer = poll(claim);
    assertThat(answer).isInstanceOf(Queued.class);
    return (Queued) answer;
  }

  /** Looks, and expects neither to hold nor to wait. */
  void lookGone(long claim) {
    assertThat(poll(claim)).isEqualTo(new PollAnswer.Gone());
  }

  Inspection inspect() {
    return answer(store.inspect(resource));
  }

  /** Sets the limit, or gives it up if it is {@link Inspection#UNSET}. */
  void resize(int limit) {
    assertThat(answered(StoreProbe.resize(store, resource, limit)).changed()).isTrue();
  }

  /** Changes the limit; where there is none it counts as 3. */
  Resized resize(long number, ResizeRequest.Kind kind, int permits) {
    return answer(
        store.resize(new ResizeRequest(resource, number, kind, permits, 3, REMEMBER_MILLIS)));
  }

  /** Ends whatever is granted now. */
  boolean forceRelease() {
    return forceRelease(Long.MAX_VALUE);
  }

  boolean forceRelease(long token) {
    return answer(store.forceRelease(new ForceRequest(resource, token))).wasHeld();
  }

  boolean forceRelease(String owner, long grant) {
    return forceRelease(owner, grant, Long.MAX_VALUE);
  }

  boolean forceRelease(String owner, long grant, long token) {
    return answer(store.forceRelease(new ForceRequest(resource, owner, grant, token))).wasHeld();
  }

  ResourceId resource() {
    return resource;
  }

  List<Inspection> inspect(List<ResourceId> batch) {
    return StoreProbe.get(store.inspect(batch)).stream().map(StoreProbe::answer).toList();
  }

  List<ResourceId> resources() {
    return resources(Listing.all());
  }

  List<ResourceId> resources(Listing<ResourceId> listing) {
    return answer(store.resources(listing));
  }

  Optional<List<Glance>> glances(Listing<ResourceId> listing) {
    return answer(store.glance(listing));
  }

  List<ClientInfo> clients(List<String> ids) {
    return answer(store.clients(ids));
  }

  /** Makes an update of the cell of the resource's name that is remembered for a minute. */
  Outcome<CellUpdated> askUpdate(
      CellKind kind, long batch, long rememberMillis, CellChange... all) {
    CellUpdate update =
        new CellUpdate(new CellId(kind, resource.name()), batch, List.of(all), rememberMillis);
    return value(store.update(update));
  }

  /** Makes an update of a value, and expects an answer. */
  List<CellResult> update(long batch, CellChange... changes) {
    return answered(askUpdate(CellKind.VALUE, batch, 60_000, changes)).results();
  }

  /** Makes an update of one change, and expects an answer. */
  CellResult change(long batch, CellChange change) {
    return update(batch, change).get(0);
  }

  CellState read(boolean watch, long knownVersion) {
    CellId cell = new CellId(CellKind.VALUE, resource.name());
    return read(List.of(new CellRead(cell, watch, knownVersion))).get(0);
  }

  List<CellState> read(List<CellRead> batch) {
    return value(store.read(batch)).stream().map(StoreClient::answered).toList();
  }

  /** Reads a cell, and expects it to be there. */
  CellState.Present readPresent() {
    CellState state = read(false, 0);
    assertThat(state).isInstanceOf(CellState.Present.class);
    return (CellState.Present) state;
  }

  /**
   * Waits for a notification about the resource and returns the latest of its kind; skips the rest
   * of the test if the store sends none.
   */
  Heard awaitNotification(String kind) {
    assumeTrue(store.traits().pushes(), "this store sends no notifications");
    await()
        .atMost(Delays.patience())
        .until(() -> notifications.stream().anyMatch(h -> isAbout(h, kind)));
    return notifications.stream().filter(h -> isAbout(h, kind)).reduce((a, b) -> b).orElseThrow();
  }

  /** Waits for the notification that this claim was granted; polls where the store sends none. */
  Grant awaitGranted(long claim) {
    if (!store.traits().pushes()) {
      return lookGranted(claim);
    }
    await().pollDelay(Duration.ZERO).atMost(Delays.patience()).until(() -> granted(claim) != null);
    return Objects.requireNonNull(granted(claim));
  }

  private @Nullable Grant granted(long claim) {
    return notifications.stream()
        .filter(notification -> isAbout(notification, "granted"))
        .map(Heard::grant)
        .filter(grant -> grant != null && grant.grant() == claim)
        .findFirst()
        .orElse(null);
  }

  boolean hasHeard(String kind) {
    return notifications.stream().anyMatch(h -> isAbout(h, kind));
  }

  void forgetNotifications() {
    notifications.clear();
  }

  private boolean isAbout(Heard notification, String kind) {
    return notification.kind().equals(kind) && notification.resource().equals(resource);
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) {
    return answered(value(stage));
  }

  private static <T> T answered(Outcome<T> outcome) {
    if (outcome instanceof Outcome.Answered<T> answered) {
      return answered.answer();
    }
    throw new AssertionError("not answered: " + outcome);
  }

  private static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("an operation must complete, and normally", e);
    }
  }

  /** Writes down what it hears. */
  record Notebook(List<Heard> notifications) implements NotificationListener {

    @Override
    public void granted(ResourceId resource, Grant grant) {
      notifications.add(new Heard("granted", resource, grant));
    }

    @Override
    public void contended(ResourceId resource) {
      notifications.add(new Heard("contended", resource, null));
    }

    @Override
    public void revoked(ResourceId resource) {
      notifications.add(new Heard("revoked", resource, null));
    }

    @Override
    public void cellChanged(CellId cell) {
      notifications.add(new Heard("changed", ResourceId.lock(cell.name()), null));
    }

    @Override
    public void reconnected() {
      notifications.add(new Heard("reconnected", ResourceId.lock(""), null));
    }
  }
}

package io.lockkeeper.memory;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
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
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.rule.CellRule;
import io.lockkeeper.spi.rule.QueueRule;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's door to a {@link MemoryServer}. Every operation is carried out at once on the
 * calling thread and answers with a completed stage.
 *
 * <p>It is strict: a caller that breaks the protocol of {@link Store} gets an {@link
 * IllegalStateException} on the spot, where another store might do something surprising later.
 */
final class MemoryStore implements Store {

  private static final int REMEMBERED_CLAIMS = 10_000;

  private final MemoryServer server;
  private final StoreContext context;

  /** On which resource each recent claim number was used. Guarded by the server's lock. */
  private final Map<Long, ResourceId> recentClaims = new LinkedHashMap<>();

  private volatile @Nullable NotificationListener listener;
  private volatile boolean closed;
  private volatile boolean abandoned;

  MemoryStore(MemoryServer server, StoreContext context) {
    this.server = server;
    this.context = context;
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.PLAIN;
  }

  @Override
  public String describe() {
    return server.describe();
  }

  @Override
  public void listen(NotificationListener listener) {
    demand(this.listener == null, "listen was called before");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    check(request);
    return answer(
        () ->
            server.step(
                this,
                request.resource(),
                (step, resource) -> {
                  remember(request);
                  return resource.run(step, rule -> rule.claim(request));
                }));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    check(request.resource(), request.owner());
    ClaimRequest requeue = request.requeue();
    if (requeue != null) {
      check(requeue);
      demand(request.resource().isExclusive(), "a requeue for a resource that is shared");
      demand(requeue.resource().equals(request.resource()), "a requeue for another resource");
      demand(requeue.queue(), "a requeue that does not want to wait");
      demand(requeue.claim() != request.grant(), "a requeue of the claim that is released");
    }
    return answer(
        () ->
            server.step(
                this,
                request.resource(),
                (step, resource) -> {
                  if (requeue != null) {
                    remember(requeue);
                  }
                  resource.check(step, request);
                  return resource.run(step, rule -> rule.release(request));
                }));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return answer(() -> use(resource, rule -> rule.withdraw(claim)));
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    batch.forEach(MemoryStore::check);
    return answers(batch, request -> use(request.resource(), rule -> rule.renew(request)));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return answers(batch, request -> use(request.resource(), rule -> rule.poll(request.claim())));
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return answer(() -> server.inspect(this, resource));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return answer(() -> use(request.resource(), rule -> rule.forceRelease(request)));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return answer(server::namespaces);
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return answer(() -> listing.of(server.resources(this)));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return answer(() -> listing.of(server.cells(this)));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    demand(!ids.isEmpty(), "an empty batch");
    return answer(() -> server.clients(this, ids));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    demand(request.resource().kind() == ResourceKind.SEMAPHORE, "a limit for what is no semaphore");
    demand(request.kind() != ResizeRequest.Kind.SET || request.permits() >= 0, "a negative limit");
    demand(request.limitIfUnset() >= 0, "a negative limit");
    demand(request.rememberMillis() > 0, "a change that is not to be remembered");
    return answer(() -> use(request.resource(), rule -> rule.resize(request)));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    demand(!update.changes().isEmpty(), "an update without changes");
    demand(update.changes().size() <= MAX_CHANGES, "too many changes in an update");
    demand(update.rememberMillis() > 0, "an update that is not to be remembered");
    return CompletableFuture.completedFuture(
        carryOut(
            () -> {
              List<CellResult> results = server.update(this, update);
              return results == null
                  ? Outcome.refused(StoreProblem.OTHER, CellRule.cameLate(update))
                  : Outcome.answered(new CellUpdated(results));
            }));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return answers(batch, read -> server.read(this, read));
  }

  @Override
  public void close() {
    closed = true;
    server.leave(this);
    if (!abandoned) {
      server.forget(this);
    }
  }

  /**
   * Cuts this client off for good, as if its process had died: nothing it asks for is carried out
   * any more and it gets no notifications. What it has at the server dies by time.
   */
  void abandon() {
    abandoned = true;
    server.leave(this);
  }

  String clientId() {
    return context.clientId();
  }

  ClientInfo client() {
    return context.client();
  }

  String namespace() {
    return context.namespace();
  }

  Timings timings() {
    return context.timings();
  }

  @Nullable NotificationListener listener() {
    return listener;
  }

  private <T> T use(ResourceId resource, Function<QueueRule<RuntimeException>, T> operation) {
    return server.step(this, resource, (step, found) -> found.run(step, operation));
  }

  private <T> CompletionStage<Outcome<T>> answer(Supplier<T> operation) {
    return CompletableFuture.completedFuture(outcome(operation));
  }

  private <Q, T> CompletionStage<List<Outcome<T>>> answers(
      List<Q> batch, Function<Q, T> operation) {
    demand(!batch.isEmpty(), "an empty batch");
    return CompletableFuture.completedFuture(
        batch.stream().map(request -> outcome(() -> operation.apply(request))).toList());
  }

  private <T> Outcome<T> outcome(Supplier<T> operation) {
    return carryOut(() -> Outcome.answered(operation.get()));
  }

  private <T> Outcome<T> carryOut(Supplier<Outcome<T>> operation) {
    demand(listener != null, "no listener yet");
    demand(!closed, "closed");
    if (abandoned || !server.isReachable()) {
      return Outcome.unknown(new ConnectException("cut off from the memory server"));
    }
    return operation.get();
  }

  private static void check(ClaimRequest request) {
    demand(request.leaseMillis() > 0, "a lease that is not positive");
    demand(request.tokens() >= 1, "a claim without tokens");
    demand(isLabel(request.label()), "a label that is too long or has control characters");
    ResourceKind kind = request.resource().kind();
    demand(kind.isExclusive() || request.tokens() == 1, "a share with several tokens");
    demand(fits(kind, request.share()), "a share that this kind of resource does not have");
  }

  private static void check(RenewRequest request) {
    demand(request.leaseMillis() > 0, "a lease that is not positive");
    demand(request.permits() >= 0, "a negative number of permits");
    demand(request.permits() == 0 || !request.resource().isExclusive(), "a part of a lock");
    check(request.resource(), request.owner());
  }

  private static boolean isLabel(String label) {
    return label.getBytes(StandardCharsets.UTF_8).length <= ClaimRequest.MAX_LABEL_BYTES
        && label.chars().noneMatch(Character::isISOControl);
  }

  private static boolean fits(ResourceKind kind, Share share) {
    return switch (kind) {
      case LOCK, LEADER_ELECTION -> share.equals(Share.EXCLUSIVE);
      case READ_WRITE_LOCK -> share.limit() == Share.ALL;
      case SEMAPHORE -> true;
      case BARRIER -> share.permits() == 1 && share.limit() > 0 && !share.overtakes();
    };
  }

  /** Checks that a grant may be meant, by this owner (null for the caller). */
  private static void check(ResourceId resource, @Nullable String owner) {
    demand(
        owner == null || resource.kind() == ResourceKind.SEMAPHORE,
        "another client's grant that is not of a semaphore");
  }

  private void remember(ClaimRequest request) {
    ResourceId before = recentClaims.put(request.claim(), request.resource());
    demand(
        before == null || before.equals(request.resource()),
        "a claim number was used for another resource");
    if (recentClaims.size() > REMEMBERED_CLAIMS) {
      recentClaims.remove(recentClaims.keySet().iterator().next());
    }
  }

  private static void demand(boolean kept, String breach) {
    if (!kept) {
      throw new IllegalStateException("protocol of the store broken: " + breach);
    }
  }
}

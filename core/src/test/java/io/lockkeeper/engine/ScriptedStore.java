package io.lockkeeper.engine;

import io.lockkeeper.ClientInfo;
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
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A store that knows nothing: the test says what it answers, and when. With {@link #obliging} it
 * grants every claim at once, renews every grant and confirms every release.
 */
public final class ScriptedStore implements Store {

  /** The request to take a claim back. */
  public record Withdrawal(ResourceId resource, long claim) {}

  public final Script<ClaimRequest, Outcome<ClaimAnswer>> claims = new Script<>("claim");
  public final Script<ReleaseRequest, Outcome<ReleaseAnswer>> releases = new Script<>("release");
  public final Script<Withdrawal, Outcome<WithdrawAnswer>> withdrawals = new Script<>("withdraw");
  public final Script<List<RenewRequest>, List<Outcome<RenewAnswer>>> renewals =
      new Script<>("renew");
  public final Script<List<PollRequest>, List<Outcome<PollAnswer>>> polls = new Script<>("poll");
  public final Script<ResourceId, Outcome<Inspection>> inspections = new Script<>("inspect");
  public final Script<ForceRequest, Outcome<Forced>> forced = new Script<>("forceRelease");

  public final Script<ResizeRequest, Outcome<Resized>> resizes = new Script<>("resize");

  public final Script<CellUpdate, Outcome<CellUpdated>> updates = new Script<>("update");
  public final Script<List<CellRead>, List<Outcome<CellState>>> reads = new Script<>("read");

  /** What was asked, in order. */
  public final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

  public volatile StoreTraits traits = StoreTraits.PLAIN;
  public volatile boolean closed;

  /** What closing throws. */
  public volatile @Nullable RuntimeException closeFailure;

  public volatile NotificationListener notifications;

  private final AtomicLong nextToken = new AtomicLong(1);

  // ------------------------------------------------------------- what the test says

  /** Replies to everything from now on as a store without other clients would. */
  public void oblige() {
    claims.always(request -> granted(grant(request)));
    releases.always(ScriptedStore::released);
    withdrawals.always(request -> Outcome.answered(WithdrawAnswer.LEFT));
    renewals.always(batch -> renewed(batch, false));
    polls.always(
        batch ->
            batch.stream()
                .map(poll -> Outcome.<PollAnswer>answered(new PollAnswer.Gone()))
                .toList());
    inspections.always(name -> Outcome.answered(new Inspection(null, List.of())));
    forced.always(name -> Outcome.answered(new Forced(false)));
    resizes.always(request -> Outcome.answered(new Resized(true, request.permits())));

    updates.always(
        update ->
            Outcome.answered(
                new CellUpdated(
                    update.changes().stream()
                        .map(change -> new CellResult(CellResult.Verdict.DONE, 1, 0, 0))
                        .toList())));
    reads.always(
        batch ->
            batch.stream()
                .map(read -> Outcome.<CellState>answered(new CellState.Absent()))
                .toList());
  }

  public static ScriptedStore obliging() {
    ScriptedStore store = new ScriptedStore();
    store.oblige();
    return store;
  }

  /** Makes a confirmed grant for one claim, with tokens larger than all before. */
  public Grant grant(ClaimRequest request) {
    return grant(request, false);
  }

  public Grant grant(ClaimRequest request, boolean othersWait) {
    return grant(List.of(request), othersWait, true, request.leaseMillis());
  }

  /** Makes a grant for a run of claims. */
  public Grant grant(
      List<ClaimRequest> run, boolean othersWait, boolean confirmed, long leaseMillis) {
    long tokens = run.stream().mapToLong(ClaimRequest::tokens).sum();
    long first = nextToken.getAndAdd(tokens);
    List<Long> numbers = run.stream().map(ClaimRequest::claim).toList();
    return new Grant(
        numbers.get(0),
        numbers,
        first,
        first + tokens - 1,
        0,
        leaseMillis * 1_000,
        othersWait,
        confirmed);
  }

  public static Outcome<ClaimAnswer> granted(Grant grant) {
    return Outcome.answered(new ClaimAnswer.Granted(grant));
  }

  public static Outcome<ClaimAnswer> queued(long arrival) {
    return Outcome.answered(new Queued(0, 60_000_000, arrival));
  }

  public static Outcome<ReleaseAnswer> released(ReleaseRequest request) {
    ClaimRequest requeue = request.requeue();
    return Outcome.answered(
        new ReleaseAnswer(true, null, requeue == null ? null : new Queued(0, 60_000_000, 1)));
  }

  public static List<Outcome<RenewAnswer>> renewed(List<RenewRequest> batch, boolean othersWait) {
    return batch.stream()
        .map(request -> Outcome.answered(new RenewAnswer(true, othersWait)))
        .toList();
  }

  public static <T> Outcome<T> silence() {
    return Outcome.unknown(new IOException("no answer"));
  }

  public static <T> List<Outcome<T>> silence(List<?> batch) {
    return batch.stream().map(request -> ScriptedStore.<T>silence()).toList();
  }

  // ------------------------------------------------------------- what the engine asks

  @Override
  public StoreTraits traits() {
    return traits;
  }

  @Override
  public String describe() {
    return "scripted store";
  }

  @Override
  public void listen(NotificationListener listener) {
    notifications = listener;
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    log.add("claim " + request.claim());
    return claims.ask(request);
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    log.add("release " + request.grant());
    return releases.ask(request);
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    log.add("withdraw " + claim);
    return withdrawals.ask(new Withdrawal(resource, claim));
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    log.add("renew " + batch.size());
    return renewals.ask(List.copyOf(batch));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    log.add("poll " + batch.size());
    return polls.ask(List.copyOf(batch));
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    log.add("inspect");
    return inspections.ask(resource);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    log.add(request.owner() == null ? "force" : "force " + request.owner() + "." + request.grant());
    return forced.ask(request);
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    log.add("resources");
    return CompletableFuture.completedFuture(Outcome.answered(List.of()));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    log.add("cells");
    return CompletableFuture.completedFuture(Outcome.answered(List.of()));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    log.add("clients");
    return CompletableFuture.completedFuture(Outcome.answered(List.of()));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    log.add("resize " + request.permits());
    return resizes.ask(request);
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    log.add("update " + update.batch());
    return updates.ask(update);
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    log.add("read " + batch.size());
    return reads.ask(List.copyOf(batch));
  }

  @Override
  public void close() {
    closed = true;
    RuntimeException failure = closeFailure;
    if (failure != null) {
      throw failure;
    }
  }
}

package io.lockkeeper.redis;

import io.lettuce.core.RedisException;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store on Redis: every operation is one script, run by the server as one step.
 *
 * <p>The rules of the queue are in the scripts, which are others for locks than for what is shared;
 * this class writes requests, {@link Answers} reads the answers.
 */
final class RedisStore implements Store {

  private final Link link;
  private final Pushes pushes;
  private final String clientId;
  private final CellCalls cells;
  private final Limits limits;
  private final Replication replication;
  private final ScriptCalls calls;
  private final Directory directory;

  RedisStore(
      StoreContext context,
      Link link,
      Pushes pushes,
      Duration timeout,
      Replication replication,
      Limits limits) {
    this.link = link;
    this.pushes = pushes;
    this.clientId = context.clientId();
    this.cells =
        new CellCalls(new Keyspace(context.namespace()), context.clientId(), context.timings());
    this.limits = limits;
    this.replication = replication;
    this.calls = new ScriptCalls(context, link, limits, timeout, replication);
    this.directory =
        new Directory(calls, link, new Keyspace(context.namespace()), pushes, context.client());
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(replication.isNeeded(), pushes.areOn());
  }

  @Override
  public String describe() {
    return link.describe();
  }

  @Override
  public void listen(HintListener hints) {
    pushes.listen(hints);
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    limits.asksFor(request.leaseMillis());
    directory.refresh();
    @Nullable CompletableFuture<Long> acknowledged = acknowledgement();
    CompletableFuture<Outcome<ClaimAnswer>> claimed =
        isLock(request.resource())
            ? claimLock(request, acknowledged)
            : claimShare(request, acknowledged);
    return acknowledged == null
        ? claimed
        : claimed.thenCompose(outcome -> confirmed(request, outcome, acknowledged));
  }

  private CompletableFuture<Outcome<ClaimAnswer>> claimLock(
      ClaimRequest request, @Nullable CompletableFuture<Long> acknowledged) {
    return calls.one(
        Script.CLAIM,
        request.resource(),
        arguments ->
            arguments
                .add(request.claim())
                .add(request.leaseMillis())
                .add(request.tokens())
                .add(request.queue() ? 1 : 0)
                .add(request.label()),
        reply -> Answers.claim(reply, request.claim(), request.leaseMillis(), request.tokens()),
        acknowledged);
  }

  private CompletableFuture<Outcome<ClaimAnswer>> claimShare(
      ClaimRequest request, @Nullable CompletableFuture<Long> acknowledged) {
    Share share = request.share();
    return calls.one(
        Script.POOL_CLAIM,
        request.resource(),
        arguments ->
            arguments
                .add(request.claim())
                .add(request.leaseMillis())
                .add(request.queue() ? 1 : 0)
                .add(share.permits())
                .add(share.limit())
                .add(share.overtakes() ? 1 : 0)
                .add(request.label()),
        reply -> Answers.poolClaim(reply, request.claim()),
        acknowledged);
  }

  private @Nullable CompletableFuture<Long> acknowledgement() {
    return replication.isNeeded() ? new CompletableFuture<>() : null;
  }

  /** Takes a grant back that too few replicas have. */
  private CompletionStage<Outcome<ClaimAnswer>> confirmed(
      ClaimRequest request, Outcome<ClaimAnswer> outcome, CompletableFuture<Long> acknowledged) {
    boolean isGranted =
        outcome instanceof Outcome.Answered<ClaimAnswer> answered
            && answered.answer() instanceof ClaimAnswer.Granted;
    if (!isGranted) {
      return CompletableFuture.completedFuture(outcome);
    }
    return acknowledged.thenCompose(
        replicas -> {
          if (replicas >= replication.replicas()) {
            return CompletableFuture.completedFuture(outcome);
          }
          return withdraw(request.resource(), request.claim())
              .thenApply(undone -> notReplicated(undone, replicas));
        });
  }

  private Outcome<ClaimAnswer> notReplicated(Outcome<Done> undone, long replicas) {
    String message =
        replicas + " of " + replication.replicas() + " replicas confirmed the grant in time";
    return undone instanceof Outcome.Unknown<Done> unknown
        ? Outcome.unknown(new RedisException(message, unknown.cause()))
        : Outcome.refused(StoreProblem.NOT_REPLICATED, message + "; it was taken back");
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    if (!isLock(request.resource())) {
      return calls.one(
          Script.POOL_RELEASE,
          request.resource(),
          arguments -> arguments.add(owner(request.owner())).add(request.grant()),
          Answers::poolRelease,
          null);
    }
    return calls.one(
        Script.RELEASE,
        request.resource(),
        arguments -> {
          arguments.add(request.grant()).add(request.usedToken());
          ClaimRequest requeue = request.requeue();
          if (requeue == null) {
            arguments.add("");
          } else {
            arguments
                .add(requeue.claim())
                .add(requeue.leaseMillis())
                .add(requeue.tokens())
                .add(requeue.label());
          }
        },
        Answers::release,
        null);
  }

  @Override
  public CompletionStage<Outcome<Done>> withdraw(String resource, long claim) {
    return calls.one(
        isLock(resource) ? Script.WITHDRAW : Script.POOL_WITHDRAW,
        resource,
        arguments -> arguments.add(claim),
        Answers::done,
        null);
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(String resource) {
    return isLock(resource)
        ? calls.one(Script.INSPECT, resource, arguments -> {}, Answers::inspect, null)
        : calls.one(Script.POOL_INSPECT, resource, arguments -> {}, Answers::poolInspect, null);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(String resource) {
    return isLock(resource)
        ? calls.one(Script.FORCE, resource, arguments -> arguments.add(""), Answers::force, null)
        : calls.one(Script.POOL_FORCE, resource, arguments -> {}, Answers::force, null);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(String resource, String owner, long grant) {
    // What is shared has its grants released by name already; the owner hears of it there too.
    return calls.one(
        isLock(resource) ? Script.FORCE : Script.POOL_RELEASE,
        resource,
        arguments -> arguments.add(owner).add(grant),
        Answers::force,
        null);
  }

  @Override
  public CompletionStage<Outcome<List<String>>> resources() {
    return directory.resources();
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return directory.clients(ids);
  }

  @Override
  public CompletionStage<Outcome<Done>> resize(String resource, int limit) {
    if (ResourceKind.of(resource) != ResourceKind.SEMAPHORE) {
      throw new IllegalArgumentException("only semaphores have a limit that can be set");
    }
    return calls.one(
        Script.POOL_RESIZE, resource, arguments -> arguments.add(limit), Answers::done, null);
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    batch.forEach(request -> limits.asksFor(request.leaseMillis()));
    directory.refresh();
    return byForm(
        batch,
        RenewRequest::resource,
        locks ->
            calls.many(
                Script.RENEW,
                locks,
                RenewRequest::resource,
                (arguments, request) -> arguments.add(request.grant()).add(request.leaseMillis()),
                (reply, request) -> Answers.renew(reply),
                replication.isNeeded()),
        shares ->
            calls.many(
                Script.POOL_RENEW,
                shares,
                RenewRequest::resource,
                (arguments, request) ->
                    arguments
                        .add(owner(request.owner()))
                        .add(request.grant())
                        .add(request.leaseMillis())
                        .add(request.permits()),
                (reply, request) -> Answers.renew(reply),
                replication.isNeeded()));
  }

  @Override
  public CompletionStage<List<Outcome<LookAnswer>>> look(List<LookRequest> batch) {
    directory.refresh();
    return byForm(
        batch,
        LookRequest::resource,
        locks ->
            calls.many(
                Script.LOOK,
                locks,
                LookRequest::resource,
                (arguments, request) -> arguments.add(request.claim()),
                (reply, request) -> Answers.look(reply),
                false),
        shares ->
            calls.many(
                Script.POOL_LOOK,
                shares,
                LookRequest::resource,
                (arguments, request) -> arguments.add(request.claim()),
                (reply, request) -> Answers.poolLook(reply, request.claim()),
                false));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    byte[] key = cells.key(update.cell());
    return calls.confirmed(
        Script.CELL_UPDATE, key, cells.update(key, update), CellCalls.updated(key));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<byte[]> keys = batch.stream().map(read -> cells.key(read.cell())).toList();
    return calls.grouped(
        Script.CELL_READ,
        keys,
        group -> cells.read(keys, batch, group),
        (reply, i) -> CellCalls.state(reply),
        false);
  }

  @Override
  public void close() {
    directory.close();
    calls.close();
    link.close();
  }

  /** Asks about locks and about what is shared in calls of their own. */
  private static <Q, T> CompletionStage<List<Outcome<T>>> byForm(
      List<Q> batch,
      Function<Q, String> resource,
      Function<List<Q>, CompletableFuture<List<Outcome<T>>>> askLocks,
      Function<List<Q>, CompletableFuture<List<Outcome<T>>>> askShares) {
    int[] locks = where(batch, request -> isLock(resource.apply(request)));
    int[] shares = where(batch, request -> !isLock(resource.apply(request)));
    if (shares.length == 0) {
      return askLocks.apply(batch);
    } else if (locks.length == 0) {
      return askShares.apply(batch);
    }
    return ScriptCalls.inOrder(
        batch.size(),
        List.of(locks, shares),
        List.of(askLocks.apply(those(batch, locks)), askShares.apply(those(batch, shares))));
  }

  private static <Q> int[] where(List<Q> batch, Predicate<Q> rule) {
    return IntStream.range(0, batch.size()).filter(i -> rule.test(batch.get(i))).toArray();
  }

  private static <Q> List<Q> those(List<Q> batch, int[] indexes) {
    return Arrays.stream(indexes).mapToObj(batch::get).toList();
  }

  private static boolean isLock(String resource) {
    return ResourceKind.of(resource) == ResourceKind.LOCK;
  }

  private String owner(@Nullable String named) {
    return named == null ? clientId : named;
  }
}

package io.lockkeeper.redis;

import io.lettuce.core.RedisException;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Glance;
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
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store on Redis: every operation is one script, run by the server as one step.
 *
 * <p>The rules of the queue are in the scripts; this class writes requests, {@link ReplyDecoder}
 * reads the answers.
 *
 * <p>This file is long because each operation of a store has its request here.
 */
final class RedisStore implements Store {

  private final Link link;
  private final PushListener pushes;
  private final CellCalls cells;
  private final Limits limits;
  private final Replication replication;
  private final ScriptCalls calls;
  private final Directory directory;
  private final NameList<ResourceId> resources;
  private final NameList<CellId> cellNames;
  private final Glances glances;

  RedisStore(
      StoreContext context,
      Link link,
      PushListener pushes,
      Duration timeout,
      Replication replication,
      Limits limits,
      Supplier<Failure.@Nullable Refusal> refusals) {
    this.link = link;
    this.pushes = pushes;
    this.cells =
        new CellCalls(
            new Keyspace(context.namespace()),
            context.clientId(),
            context.timings(),
            !link.followsMoves());
    this.limits = limits;
    this.replication = replication;
    this.calls = new ScriptCalls(context, link, limits, timeout, replication, refusals);
    Keyspace keyspace = new Keyspace(context.namespace());
    this.resources = NameList.ofResources(calls, link, keyspace);
    this.cellNames = NameList.ofCells(calls, link, keyspace);
    this.glances = new Glances(calls, keyspace, resources);
    this.directory =
        new Directory(
            calls,
            new Keyspace(context.namespace()),
            pushes,
            context.client(),
            context.environment().time());
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(replication.isNeeded(), pushes.areOn());
  }

  @Override
  public Optional<Quarantine> quarantine() {
    return limits.quarantine();
  }

  @Override
  public String describe() {
    return link.describe();
  }

  @Override
  public void listen(NotificationListener notifications) {
    pushes.listen(
        replication.isNeeded() ? new ConfirmedNotifications(notifications) : notifications);
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    limits.asksFor(request.leaseMillis());
    directory.refresh();
    @Nullable CompletableFuture<Long> acknowledged = acknowledgement();
    CompletableFuture<Outcome<ClaimAnswer>> claimed =
        calls.one(
            Script.CLAIM,
            request.resource(),
            arguments -> {
              arguments
                  .add(request.claim())
                  .add(request.leaseMillis())
                  .add(request.tokens())
                  .add(request.queue() ? 1 : 0)
                  .add(request.label());
              Share share = request.share();
              if (!share.equals(Share.EXCLUSIVE)) {
                arguments.add(share.permits()).add(share.limit()).add(share.overtakes() ? 1 : 0);
              }
            },
            reply ->
                ReplyDecoder.claim(reply, request.claim(), request.leaseMillis(), request.tokens()),
            acknowledged);
    return acknowledged == null
        ? claimed
        : claimed.thenCompose(outcome -> confirmed(request, outcome, acknowledged));
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
          if (isBarrier(request.resource())) {
            // It completes its group, so it is asked for again until all of them are confirmed.
            return CompletableFuture.completedFuture(Outcome.unknown(tooFew(replicas)));
          }
          return withdraw(request.resource(), request.claim())
              .thenApply(undone -> notReplicated(undone, replicas));
        });
  }

  private Outcome<ClaimAnswer> notReplicated(Outcome<WithdrawAnswer> undone, long replicas) {
    RedisException tooFew = tooFew(replicas);
    if (!(undone instanceof Outcome.Answered)) { // the grant may still be there
      if (undone instanceof Outcome.Unknown<WithdrawAnswer> unknown) {
        tooFew.initCause(unknown.cause());
      }
      return Outcome.unknown(tooFew);
    }
    return Outcome.refused(
        StoreProblem.NOT_REPLICATED, tooFew.getMessage() + "; it was taken back");
  }

  private RedisException tooFew(long replicas) {
    return new RedisException(
        replicas + " of " + replication.replicas() + " replicas confirmed the grant in time");
  }

  /**
   * Waits until replicas confirm the grant of a member of a barrier that waited, before the member
   * sees it: otherwise it would go on while the one that completed the group may not. A renewal
   * writes the grant again, behind the others of the group.
   */
  private CompletionStage<Outcome<PollAnswer>> confirmedMember(
      PollRequest request, Outcome<PollAnswer> outcome) {
    boolean isGranted =
        outcome instanceof Outcome.Answered<PollAnswer> answered
            && answered.answer() instanceof PollAnswer.Granted;
    if (!isGranted || !isBarrier(request.resource())) {
      return CompletableFuture.completedFuture(outcome);
    }
    return renewMember(request.resource(), request.claim())
        .thenApply(
            renewed -> {
              if (renewed instanceof Outcome.Answered<RenewAnswer> answered) {
                return answered.answer().renewed()
                    ? outcome
                    : Outcome.answered(new PollAnswer.Gone());
              } else if (renewed instanceof Outcome.Refused<RenewAnswer> refused) {
                return Outcome.refused(refused.problem(), refused.message());
              }
              return Outcome.unknown(((Outcome.Unknown<RenewAnswer>) renewed).cause());
            });
  }

  /** The lease of a member's grant only ends the news; it does not get longer by this. */
  private CompletionStage<Outcome<RenewAnswer>> renewMember(ResourceId resource, long claim) {
    return renew(List.of(new RenewRequest(resource, claim, 1)))
        .thenApply(outcomes -> outcomes.get(0));
  }

  /** Passes on what the servers publish; grants at barriers only when replicas have them. */
  private final class ConfirmedNotifications implements NotificationListener {

    private final NotificationListener notifications;

    ConfirmedNotifications(NotificationListener notifications) {
      this.notifications = notifications;
    }

    @Override
    public void granted(ResourceId resource, Grant grant) {
      if (!isBarrier(resource)) {
        notifications.granted(resource, grant);
        return;
      }
      var unused =
          renewMember(resource, grant.grant())
              .thenAccept(
                  renewed -> {
                    if (renewed instanceof Outcome.Answered<RenewAnswer> answered
                        && answered.answer().renewed()) {
                      notifications.granted(resource, grant);
                    } // else the member notices when it looks
                  });
    }

    @Override
    public void contended(ResourceId resource) {
      notifications.contended(resource);
    }

    @Override
    public void revoked(ResourceId resource) {
      notifications.revoked(resource);
    }

    @Override
    public void cellChanged(CellId cell) {
      notifications.cellChanged(cell);
    }

    @Override
    public void reconnected() {
      notifications.reconnected();
    }
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return calls.one(
        Script.RELEASE,
        request.resource(),
        arguments -> {
          arguments.add(request.grant()).add(request.usedToken());
          ClaimRequest requeue = request.requeue();
          if (requeue != null) {
            arguments
                .add("q")
                .add(requeue.claim())
                .add(requeue.leaseMillis())
                .add(requeue.tokens())
                .add(requeue.label());
          } else if (request.restMillis() > 0) {
            arguments.add("r").add(request.restMillis());
          } else if (request.owner() != null) {
            arguments.add("o").add(request.owner());
          }
        },
        ReplyDecoder::release,
        null);
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return calls.one(
        Script.WITHDRAW, resource, arguments -> arguments.add(claim), ReplyDecoder::withdraw, null);
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return inspect(List.of(resource)).thenApply(outcomes -> outcomes.get(0));
  }

  @Override
  public CompletionStage<List<Outcome<Inspection>>> inspect(List<ResourceId> batch) {
    return calls.many(
        Script.INSPECT,
        batch,
        Function.identity(),
        (arguments, resource) -> {},
        (reply, resource) -> ReplyDecoder.inspect(reply),
        false);
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return calls.one(
        Script.FORCE,
        request.resource(),
        arguments -> {
          arguments.add(request.token());
          if (request.owner() != null) {
            arguments.add(request.owner()).add(request.grant());
          }
        },
        ReplyDecoder::force,
        null);
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return resources.namespaces();
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return resources.find(listing);
  }

  @Override
  public CompletionStage<Outcome<Optional<List<Glance>>>> glance(Listing<ResourceId> listing) {
    return link.followsMoves() ? Store.super.glance(listing) : glances.find(listing);
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return cellNames.find(listing);
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return directory.clients(ids);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    if (request.resource().kind() != ResourceKind.SEMAPHORE) {
      throw new IllegalArgumentException("only semaphores have a limit that can be set");
    }
    return calls.confirmed(
        Script.RESIZE,
        request.resource(),
        arguments ->
            arguments
                .add(request.number())
                .add(request.kind().name().substring(0, 1))
                .add(request.permits())
                .add(request.limitIfUnset())
                .add(request.rememberMillis()),
        ReplyDecoder::resized);
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    batch.forEach(request -> limits.asksFor(request.leaseMillis()));
    directory.refresh();
    return calls.many(
        Script.RENEW,
        batch,
        RenewRequest::resource,
        (arguments, request) -> {
          arguments.add(request.grant()).add(request.leaseMillis());
          arguments.add(request.owner() == null ? "" : request.owner());
          if (request.label() != null) {
            arguments.add("=" + request.label());
          } else {
            arguments.add(request.permits() == 0 ? "" : Integer.toString(request.permits()));
          }
        },
        (reply, request) -> ReplyDecoder.renew(reply),
        replication.isNeeded());
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    directory.refresh();
    CompletableFuture<List<Outcome<PollAnswer>>> polled =
        calls.many(
            Script.LOOK,
            batch,
            PollRequest::resource,
            (arguments, request) -> arguments.add(request.claim()),
            (reply, request) -> ReplyDecoder.poll(reply),
            false);
    return replication.isNeeded()
        ? polled.thenCompose(outcomes -> confirmedMembers(batch, outcomes))
        : polled;
  }

  private CompletionStage<List<Outcome<PollAnswer>>> confirmedMembers(
      List<PollRequest> batch, List<Outcome<PollAnswer>> outcomes) {
    List<CompletableFuture<Outcome<PollAnswer>>> all =
        IntStream.range(0, batch.size())
            .mapToObj(i -> confirmedMember(batch.get(i), outcomes.get(i)).toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    byte[] key = cells.key(update.cell());
    return calls.confirmed(
        Script.CELL_UPDATE, key, cells.update(key, update), CellCalls.updated(key, update));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    List<byte[]> keys = batch.stream().map(read -> cells.key(read.cell())).toList();
    return calls.grouped(
        Script.CELL_READ,
        keys,
        group -> cells.read(keys, batch, group, replication.isNeeded()),
        (reply, i) -> CellCalls.state(reply),
        replication.isNeeded());
  }

  @Override
  public void close() {
    directory.close();
    calls.close();
    link.close();
  }

  private static boolean isBarrier(ResourceId resource) {
    return resource.kind() == ResourceKind.BARRIER;
  }
}

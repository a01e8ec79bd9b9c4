package io.lockkeeper.spi.record;

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
import io.lockkeeper.spi.Named;
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
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.record.JointOperation.Use;
import io.lockkeeper.spi.rule.CellContent;
import io.lockkeeper.spi.rule.CellRule;
import io.lockkeeper.spi.rule.HeldGrant;
import io.lockkeeper.spi.rule.QueueRule;
import io.lockkeeper.spi.support.ForwardingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The store of one client above a {@link RecordStore}: every kind of resource, cells, inspection
 * and the directory of clients.
 *
 * <p>Each resource, each cell and each client has a record. An operation is a step on one of them:
 * read it, decide by the {@linkplain io.lockkeeper.spi.rule rule}, and write what came of it if
 * nobody else has written since; otherwise again. So the store never sees an operation, only
 * records that change in one step from what the rule allows to what it allows.
 *
 * <p>The head of a resource's record has the holder, its entries are the claims. A cell's head has
 * its value, its entries are who watches it and what the latest updates did. Records that say
 * nothing are deleted.
 *
 * <p>This file is long because it has each operation of a store.
 */
public final class RecordBasedStore implements Store {

  private final RecordStore port;
  private final ClientInfo client;
  private final Keys keys;
  private final RecordClock clock;
  private final CasLoop steps;
  private final ResourceSteps resources;
  private final CellWatches watches;
  private final CellSteps cells;
  private final Directory directory;
  private final Holders holders;

  /** The claims that are not queued, are not answered yet and have not been withdrawn. */
  private final Set<Asked> asked = ConcurrentHashMap.newKeySet();

  private record Asked(ResourceId resource, long claim) {}

  /**
   * Creates the store of one client.
   *
   * @param port its way to the records, which is closed with this
   * @param context who it is, and its time and scheduler
   * @param storeTimeout how long other clients' changes may keep an operation from succeeding until
   *     its outcome is unknown
   */
  public RecordBasedStore(RecordStore port, StoreContext context, Duration storeTimeout) {
    this.port = port;
    this.clock = port.clock().ofClient(context.environment().time());
    this.client = context.client();
    this.keys = new Keys(context.namespace());
    this.steps =
        new CasLoop(
            context.environment(),
            ClaimText.ofClient(context.clientId()),
            storeTimeout.toNanos(),
            port,
            clock);
    this.resources = new ResourceSteps(context, keys, clock, port);
    this.watches = new CellWatches(context, this::look);
    this.cells = new CellSteps(context, keys, clock, port.watches());
    this.directory = new Directory(port, keys, steps, client);
    steps.demand(directory);
    this.holders = new Holders(port, keys, context.environment().time());
  }

  @Override
  public StoreTraits traits() {
    return port.traits();
  }

  @Override
  public String describe() {
    return port.describe();
  }

  @Override
  public void listen(NotificationListener listener) {
    port.listen(
        new RecordStore.Listener() {
          @Override
          public void message(String text) {
            Messages.deliver(text, learning(listener), RecordBasedStore.this::decided);
          }

          @Override
          public void changed(String key) {
            watches.changed(key, listener);
          }

          @Override
          public void reconnected() {
            directory.announce(); // what was bound to a session that ended is gone
            listener.reconnected();
          }
        });
    directory.announce();
  }

  /**
   * Returns a listener that is notified of a grant for as long as that is sure, and reads the
   * record of a lock that was granted while it is held, so that the release need not. If the record
   * shows waiting claims that came unseen, that is a notification too.
   */
  private NotificationListener learning(NotificationListener listener) {
    return new ForwardingListener() {
      @Override
      protected void forward(Consumer<NotificationListener> notification) {
        notification.accept(listener);
      }

      @Override
      public void granted(ResourceId resource, Grant grant) {
        super.granted(resource, sure(grant));
        if (port.appends()) {
          steps.learn(
              keys.of(resource),
              Courier.express(port),
              !resource.isExclusive(),
              reading -> {
                if (!grant.othersWait() && resources.isContended(resource, reading)) {
                  contended(resource);
                }
              });
        }
      }
    };
  }

  /** Returns a grant that another client has made, for as long as it is sure. */
  private Grant sure(Grant grant) {
    long mostMicros = directory.sureMicros();
    return grant.leaseMicros() <= mostMicros
        ? grant
        : new Grant(
            grant.grant(),
            grant.claims(),
            grant.firstToken(),
            grant.lastToken(),
            grant.storeMicros(),
            mostMicros,
            grant.othersWait(),
            grant.confirmed());
  }

  private long decided(ResourceId resource, String time) {
    return clock.noLaterThan(keys.of(resource), time);
  }

  // ------------------------------------------------------------- resources

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    directory.outlast(request.leaseMillis());
    Seen seen = new Seen();
    return request.queue()
        ? claim(request, seen)
            .thenApply(
                outcome -> {
                  if (isAnswer(outcome, Queued.class)) { // if it is admitted, that is notified
                    var unused = endThoseGone(request.resource(), seen.held, false);
                  }
                  return outcome;
                })
        : claimAtOnce(request, seen);
  }

  /**
   * Makes a claim that is not queued, and makes it once more if clients that have gone kept it out.
   * The second time comes late: a withdrawal may have been answered since.
   */
  private CompletionStage<Outcome<ClaimAnswer>> claimAtOnce(ClaimRequest request, Seen seen) {
    ResourceId resource = request.resource();
    Asked claim = new Asked(resource, request.claim());
    asked.add(claim);
    return claim(request, seen)
        .thenCompose(
            outcome ->
                isAnswer(outcome, ClaimAnswer.Busy.class)
                    ? endThoseGone(resource, seen.held, false)
                        .thenCompose(
                            areSome ->
                                areSome
                                    ? claimUnlessWithdrawn(request, claim)
                                    : CompletableFuture.completedFuture(outcome))
                    : CompletableFuture.completedFuture(outcome))
        .whenComplete((outcome, failure) -> asked.remove(claim));
  }

  private CompletionStage<Outcome<ClaimAnswer>> claimUnlessWithdrawn(
      ClaimRequest request, Asked claim) {
    return step(
        request.resource(),
        Courier.express(port),
        Use.ASKS,
        rule -> asked.contains(claim) ? rule.claim(request) : new ClaimAnswer.Busy());
  }

  private CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request, Seen seen) {
    return step(
        request.resource(),
        Courier.express(port),
        request.queue() ? Use.QUEUES : Use.ASKS,
        ResourceSteps.queueing(
            rule -> seeing(rule, seen, rule.claim(request)),
            (answer, places) -> answer instanceof Queued queued ? placed(queued, places) : answer));
  }

  /** The grants of other clients that an operation has seen. */
  private static final class Seen {
    private volatile List<HeldGrant> held = List.of();
  }

  private <T> T seeing(QueueRule<NeedsMore> rule, Seen seen, T answer) throws NeedsMore {
    if (holders.canBeGone()) {
      seen.held = rule.heldByOthers();
    }
    return answer;
  }

  private static boolean isAnswer(Outcome<?> outcome, Class<?> kind) {
    return outcome instanceof Outcome.Answered<?> answered && kind.isInstance(answered.answer());
  }

  /** Ends grants whose clients have gone; returns whether there were any. */
  private CompletionStage<Boolean> endThoseGone(
      ResourceId resource, List<HeldGrant> held, boolean again) {
    return holders
        .gone(keys.of(resource), held, again)
        .thenCompose(
            gone ->
                gone.isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : step(resource, ending(gone)).thenApply(outcome -> true));
  }

  private static ResourceSteps.Operation<Done> ending(List<HeldGrant> gone) {
    return rule -> {
      rule.end(gone);
      return Done.DONE;
    };
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    ClaimRequest requeue = request.requeue();
    if (requeue != null) {
      directory.outlast(requeue.leaseMillis());
    }
    return step(
        request.resource(),
        Courier.express(port),
        requeue != null ? Use.QUEUES : request.resource().isExclusive() ? Use.ENDS : Use.ACTS,
        ResourceSteps.queueing(rule -> rule.release(request), RecordBasedStore::placed));
  }

  private static ReleaseAnswer placed(ReleaseAnswer answer, LongUnaryOperator places) {
    Queued requeued = answer.requeued();
    return requeued == null
        ? answer
        : new ReleaseAnswer(answer.released(), answer.next(), placed(requeued, places));
  }

  private static Queued placed(Queued queued, LongUnaryOperator places) {
    return new Queued(
        queued.storeMicros(), queued.holderMicros(), places.applyAsLong(queued.arrival()));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    asked.remove(new Asked(resource, claim));
    return step(resource, rule -> rule.withdraw(claim));
  }

  /** Renews what one resource has in one step: a client may hold many permits. */
  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    batch.forEach(request -> directory.outlast(request.leaseMillis()));
    List<List<RenewRequest>> groups =
        List.copyOf(
            batch.stream()
                .collect(
                    Collectors.groupingBy(
                        RenewRequest::resource, LinkedHashMap::new, Collectors.toList()))
                .values());
    return together(
            groups,
            (requests, courier) -> step(requests.get(0).resource(), courier, renewing(requests)))
        .thenApply(outcomes -> inOrder(batch, groups, outcomes));
  }

  private static List<Outcome<RenewAnswer>> inOrder(
      List<RenewRequest> batch,
      List<List<RenewRequest>> groups,
      List<Outcome<List<RenewAnswer>>> outcomes) {
    Map<RenewRequest, Outcome<RenewAnswer>> answers = new HashMap<>();
    for (int group = 0; group < groups.size(); group++) {
      List<RenewRequest> requests = groups.get(group);
      for (int i = 0; i < requests.size(); i++) {
        int place = i;
        answers.put(requests.get(i), Outcomes.map(outcomes.get(group), all -> all.get(place)));
      }
    }
    return batch.stream().map(answers::get).map(Objects::requireNonNull).toList();
  }

  private static ResourceSteps.Operation<List<RenewAnswer>> renewing(List<RenewRequest> requests) {
    ResourceSteps.Telling<List<RenewAnswer>> operation = rule -> renewAll(rule, requests);
    return operation;
  }

  private static List<RenewAnswer> renewAll(QueueRule<NeedsMore> rule, List<RenewRequest> requests)
      throws NeedsMore {
    List<RenewAnswer> answers = new ArrayList<>();
    for (RenewRequest request : requests) {
      answers.add(rule.renew(request));
    }
    return answers;
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return together(batch, this::poll);
  }

  private CompletionStage<Outcome<PollAnswer>> poll(PollRequest request, Courier courier) {
    Seen seen = new Seen();
    return step(
            request.resource(),
            courier,
            Use.LOOKS,
            rule -> seeing(rule, seen, rule.poll(request.claim())))
        .thenApply(
            outcome -> {
              if (isAnswer(outcome, Queued.class)) {
                var unused = endThoseGone(request.resource(), seen.held, true);
              }
              return outcome;
            });
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return step(request.resource(), rule -> rule.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return step(request.resource(), rule -> rule.resize(request));
  }

  private <T> CompletionStage<Outcome<T>> step(
      ResourceId resource, ResourceSteps.Operation<T> operation) {
    return step(resource, Courier.express(port), operation);
  }

  private <T> CompletionStage<Outcome<T>> step(
      ResourceId resource, Courier courier, ResourceSteps.Operation<T> operation) {
    return step(resource, courier, Use.ACTS, operation);
  }

  private <T> CompletionStage<Outcome<T>> step(
      ResourceId resource, Courier courier, Use use, ResourceSteps.Operation<T> operation) {
    return steps.takeJointly(
        keys.of(resource),
        courier,
        use,
        operation,
        operations -> resources.step(resource, operations));
  }

  /** Asks about everything at once; what can leave together does. */
  private <Q, T> CompletionStage<List<Outcome<T>>> together(
      List<Q> batch, BiFunction<Q, Courier, CompletionStage<Outcome<T>>> operation) {
    Courier courier = new Courier(port);
    CompletionStage<List<Outcome<T>>> outcomes =
        Gather.inOrder(batch.stream().map(request -> operation.apply(request, courier)).toList());
    courier.send();
    return outcomes;
  }

  // ------------------------------------------------------------- holders, waiters, clients
  // there

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return steps.take(
        keys.of(resource), Courier.express(port), Use.LOOKS, resources.inspection(resource));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return port.list("").thenApply(keys -> Outcomes.map(keys, Keys::namespacesOf));
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return list(keys.resources(listing.prefix()), keys::resourceOf, listing);
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return list(keys.cells(listing.prefix()), keys::cellOf, listing);
  }

  private <I extends Named> CompletionStage<Outcome<List<I>>> list(
      List<String> beginnings, Function<String, I> id, Listing<I> listing) {
    return Gather.all(
        all -> Gather.inOrder(all.stream().map(port::list).toList()),
        beginnings,
        lists -> listing.of(lists.stream().flatMap(List::stream).map(id).toList()));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return directory.find(ids);
  }

  // ------------------------------------------------------------- cells

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    String key = keys.of(update.cell());
    AtomicReference<CellRule.@Nullable Updated> made = new AtomicReference<>();
    return steps
        .take(key, Courier.express(port), Use.ACTS, cells.update(update, made::set))
        .thenApply(
            outcome -> {
              CellRule.Updated updated = made.get();
              if (outcome instanceof Outcome.Answered && updated != null) {
                watches.changed(key, seen(updated.before()), seen(updated.after()));
              }
              return outcome;
            });
  }

  private static long seen(CellContent content) {
    return content.isPresent() ? content.version() : 0;
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return together(
        batch,
        (read, courier) ->
            look(read, courier)
                .thenApply(
                    outcome -> {
                      watches.read(keys.of(read.cell()), read, outcome);
                      return outcome;
                    }));
  }

  private CompletionStage<Outcome<CellState>> look(CellRead read) {
    return look(read, Courier.express(port));
  }

  private CompletionStage<Outcome<CellState>> look(CellRead read, Courier courier) {
    return steps.take(keys.of(read.cell()), courier, Use.LOOKS, cells.read(read));
  }

  /** Takes the client out of the directory, and closes the way to the records after that. */
  @Override
  public void close() {
    Outcomes.whenKnown(
        directory.leave(),
        outcome -> {
          steps.close();
          port.close();
        });
  }
}

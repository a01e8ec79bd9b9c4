package io.lockkeeper.spi.record;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Named;
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
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.rule.QueueRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

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
 */
public final class RecordBasedStore implements Store {

  private final RecordStore port;
  private final ClientInfo client;
  private final Keys keys;
  private final RecordClock clock;
  private final CasLoop steps;
  private final ResourceSteps resources;
  private final CellSteps cells;
  private final Directory directory;

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
            clock,
            port.makesOnAnyAbsence());
    this.resources = new ResourceSteps(context, keys, clock, port.hasSessions());
    this.cells = new CellSteps(context, keys, clock);
    this.directory = new Directory(port, keys, steps);
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
            Messages.deliver(text, listener, RecordBasedStore.this::decided);
          }

          @Override
          public void reconnected() {
            directory.announce(client); // what was bound to a session that ended is gone
            listener.reconnected();
          }
        });
    directory.announce(client);
  }

  private long decided(ResourceId resource, String time) {
    return clock.noLaterThan(keys.of(resource), time);
  }

  // ------------------------------------------------------------- resources

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return step(
        request.resource(), Courier.express(port), request.queue(), rule -> rule.claim(request));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return step(
        request.resource(),
        Courier.express(port),
        request.requeue() != null,
        rule -> rule.release(request));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return step(resource, rule -> rule.withdraw(claim));
  }

  /** Renews what one resource has in one step: a client may hold many permits. */
  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    List<List<RenewRequest>> groups =
        List.copyOf(
            batch.stream()
                .collect(
                    Collectors.groupingBy(
                        RenewRequest::resource, LinkedHashMap::new, Collectors.toList()))
                .values());
    return together(
            groups,
            (requests, courier) ->
                step(requests.get(0).resource(), courier, rule -> renewAll(rule, requests)))
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
    return together(
        batch,
        (request, courier) ->
            step(request.resource(), courier, rule -> rule.poll(request.claim())));
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
    return step(resource, courier, false, operation);
  }

  private <T> CompletionStage<Outcome<T>> step(
      ResourceId resource, Courier courier, boolean queues, ResourceSteps.Operation<T> operation) {
    return steps.takeJointly(
        keys.of(resource),
        courier,
        queues,
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
    return steps.take(keys.of(resource), Courier.express(port), resources.inspection(resource));
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
    return steps.take(keys.of(update.cell()), Courier.express(port), cells.update(update));
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return together(
        batch, (read, courier) -> steps.take(keys.of(read.cell()), courier, cells.read(read)));
  }

  /** Takes the client out of the directory, and closes the way to the records after that. */
  @Override
  public void close() {
    Outcomes.whenKnown(
        directory.leave(client),
        outcome -> {
          steps.close();
          port.close();
        });
  }
}

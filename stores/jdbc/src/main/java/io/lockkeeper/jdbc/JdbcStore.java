package io.lockkeeper.jdbc;

import io.lockkeeper.ClientInfo;
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
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A store in a database: each operation is a step in a short transaction, which has the row of its
 * resource locked.
 *
 * <p>Those on resources are {@link QueueSteps}.
 */
final class JdbcStore implements Store {

  private final String where;
  private final Transactions transactions;
  private final NotificationChannel notifications;
  private final QueueSteps steps;
  private final PollQueries polls;
  private final InspectQueries views;
  private final JdbcCells cells;
  private final ClientTable directory;
  private final Cleaner cleaner;

  JdbcStore(
      String where,
      Transactions transactions,
      NotificationChannel notifications,
      Dialect dialect,
      Client client,
      Marks marks,
      ClientTable directory,
      Cleaner cleaner) {
    this.where = where;
    this.transactions = transactions;
    this.notifications = notifications;
    this.directory = directory;
    this.cleaner = cleaner;
    this.cells = new JdbcCells(transactions, dialect, client);
    ResourceTable resources = new ResourceTable(dialect, client, marks, cleaner::made);
    this.steps =
        new QueueSteps(
            client, resources, new LockStatements(dialect, client, marks), notifications);
    this.polls = new PollQueries(dialect, client, marks);
    this.views = new InspectQueries(dialect, client);
  }

  @Override
  public StoreTraits traits() {
    return new StoreTraits(false, notifications.areHeard());
  }

  @Override
  public String describe() {
    return where;
  }

  @Override
  public void listen(NotificationListener listener) {
    transactions.listen(listener);
    notifications.listen(listener);
  }

  private static boolean isShared(ResourceId resource) {
    return !resource.isExclusive();
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    directory.refresh();
    cleaner.refresh();
    return transactions
        .ask(request.resource(), steps.claim(request))
        .whenComplete((outcome, none) -> notifications.mayCome());
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    notifications.mayCome();
    return transactions.ask(request.resource(), steps.release(request));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return transactions.ask(resource, steps.withdraw(resource, claim));
  }

  private static <T> Outcome<T> as(Outcome<?> outcome, T answer) {
    if (outcome instanceof Outcome.Refused<?> refused) {
      return Outcome.refused(refused.problem(), refused.message());
    } else if (outcome instanceof Outcome.Unknown<?> unknown) {
      return Outcome.unknown(unknown.cause());
    }
    return Outcome.answered(answer);
  }

  /**
   * A client's renewals of one shared resource are one step; every other is a step of its own, and
   * those that gather share transactions.
   */
  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    directory.refresh();
    notifications.mayCome();
    Map<ResourceId, List<RenewRequest>> shared =
        batch.stream()
            .filter(request -> isShared(request.resource()) && request.owner() == null)
            .collect(Collectors.groupingBy(RenewRequest::resource));
    Map<ResourceId, CompletableFuture<Outcome<List<RenewAnswer>>>> together = new HashMap<>();
    shared.forEach(
        (resource, requests) ->
            together.put(resource, transactions.ask(resource, steps.renewAll(resource, requests))));
    return all(batch.stream().map(request -> renewal(request, shared, together)).toList());
  }

  private CompletableFuture<Outcome<RenewAnswer>> renewal(
      RenewRequest request,
      Map<ResourceId, List<RenewRequest>> shared,
      Map<ResourceId, CompletableFuture<Outcome<List<RenewAnswer>>>> together) {
    ResourceId resource = request.resource();
    var group = together.get(resource);
    if (group == null || request.owner() != null) {
      return transactions.ask(resource, steps.renew(request));
    }
    int index = shared.getOrDefault(resource, List.of()).indexOf(request);
    return group.thenApply(
        outcome ->
            outcome instanceof Outcome.Answered<List<RenewAnswer>> answered
                ? Outcome.answered(answered.answer().get(index))
                : as(outcome, new RenewAnswer(false, false)));
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    directory.refresh();
    notifications.mayCome();
    return transactions.ask("", polls.read(batch)).thenCompose(read -> complete(batch, read));
  }

  /** Asks for the polls that took more than reading. */
  private CompletionStage<List<Outcome<PollAnswer>>> complete(
      List<PollRequest> batch, Outcome<List<Optional<PollAnswer>>> read) {
    List<CompletableFuture<Outcome<PollAnswer>>> outcomes =
        IntStream.range(0, batch.size()).mapToObj(i -> complete(batch.get(i), read, i)).toList();
    return all(outcomes);
  }

  private CompletableFuture<Outcome<PollAnswer>> complete(
      PollRequest request, Outcome<List<Optional<PollAnswer>>> read, int index) {
    if (read instanceof Outcome.Answered<List<Optional<PollAnswer>>> answered) {
      Optional<PollAnswer> answer = answered.answer().get(index);
      if (answer.orElse(null) instanceof PollAnswer.Granted) {
        notifications.foundLate();
      }
      return answer.isPresent()
          ? CompletableFuture.completedFuture(Outcome.answered(answer.get()))
          : alone(request);
    }
    boolean isSpoiled =
        read instanceof Outcome.Refused<List<Optional<PollAnswer>>> refused
            && refused.problem() == StoreProblem.FOREIGN_RECORD;
    // Of one of them the rows cannot be read; that must not be to the harm of the others.
    return isSpoiled
        ? alone(request)
        : CompletableFuture.completedFuture(as(read, new PollAnswer.Gone()));
  }

  private CompletableFuture<Outcome<PollAnswer>> alone(PollRequest request) {
    return transactions.ask(request.resource(), steps.poll(request.resource(), request.claim()));
  }

  private static <T> CompletableFuture<List<Outcome<T>>> all(
      List<CompletableFuture<Outcome<T>>> outcomes) {
    return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
        .thenApply(done -> outcomes.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return transactions.ask(resource, views.inspect(resource));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return transactions.ask(request.resource(), steps.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return directory.namespaces();
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return directory.resources(listing);
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return directory.cells(listing);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    if (request.resource().kind() != ResourceKind.SEMAPHORE) {
      throw new IllegalArgumentException("only semaphores have a limit that can be set");
    }
    return transactions.ask(request.resource(), steps.resize(request));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return directory.clients(ids);
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    cleaner.refresh();
    return cells.update(update);
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    notifications.mayCome();
    if (batch.stream().anyMatch(CellRead::watch)) {
      notifications.watches();
    }
    return cells.read(batch);
  }

  @Override
  public void close() {
    directory.close();
    notifications.close();
    transactions.close();
  }
}

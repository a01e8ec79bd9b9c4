package io.lockkeeper.zookeeper;

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
import io.lockkeeper.spi.support.Deadlines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One client's door to an ensemble. It makes outcomes of what its parts do. */
final class ZooKeeperStore implements Store {

  private final Connection connection;
  private final Notifications notifications;
  private final Claims claims;
  private final JointSteps joint;
  private final Withdrawals withdrawals;
  private final Renewing renewing;
  private final Operator operator;
  private final Cells cells;
  private final ClientNodes directory;
  private final Deadlines deadlines;

  /** Creates it on a connection, which it closes. */
  ZooKeeperStore(Connection connection, StoreContext context, LeaseObservations observations) {
    this.connection = connection;
    this.deadlines = connection.deadlines(connection.settings().timeout().toMillis() * 3 / 2);
    Paths paths = new Paths(connection.settings().root(), context.namespace());
    OwnClaims mine = new OwnClaims();
    StepQueues turns = new StepQueues();
    this.directory = new ClientNodes(connection, paths, context);
    CasLoop steps =
        new CasLoop(connection, paths, context, observations, mine, turns, directory::touch);
    RecentContention contention = new RecentContention();
    this.notifications =
        new Notifications(connection, paths, context, steps, mine, turns, contention);
    ClaimQueue queue =
        new ClaimQueue(connection, paths, context, steps, mine, notifications, contention);
    Withdrawn withdrawn = new Withdrawn();
    this.claims = new Claims(paths, steps, mine, notifications, queue, withdrawn);
    Releases releases =
        new Releases(connection, paths, context, steps, mine, turns, notifications, queue);
    this.joint = new JointSteps(steps, turns, claims, releases, queue, mine);
    this.withdrawals = new Withdrawals(connection, paths, steps, mine, turns, withdrawn);
    this.renewing = new Renewing(context, steps, mine, notifications);
    this.operator = new Operator(connection, paths, steps, directory);
    this.cells = new Cells(connection, paths, context, notifications::listener, directory);
    connection.addListener(notifications);
  }

  /**
   * Says who has come, and waits for that.
   *
   * @throws io.lockkeeper.StoreRefusedException if the user may not make nodes there
   */
  void enterOrThrow() {
    directory.enterOrThrow();
  }

  @Override
  public StoreTraits traits() {
    return StoreTraits.PLAIN;
  }

  @Override
  public String describe() {
    return connection.settings().describe();
  }

  @Override
  public void listen(NotificationListener listener) {
    notifications.listen(listener);
  }

  @Override
  public CompletionStage<Outcome<ClaimAnswer>> claim(ClaimRequest request) {
    return outcome(() -> joint.claim(request));
  }

  @Override
  public CompletionStage<Outcome<ReleaseAnswer>> release(ReleaseRequest request) {
    return outcome(() -> joint.release(request));
  }

  @Override
  public CompletionStage<Outcome<WithdrawAnswer>> withdraw(ResourceId resource, long claim) {
    return outcome(() -> withdrawals.withdraw(resource, claim));
  }

  @Override
  public CompletionStage<List<Outcome<RenewAnswer>>> renew(List<RenewRequest> batch) {
    Map<ResourceId, List<RenewRequest>> byResource = new LinkedHashMap<>();
    for (RenewRequest one : batch) {
      byResource.computeIfAbsent(one.resource(), id -> new ArrayList<>()).add(one);
    }
    Map<RenewRequest, CompletableFuture<Outcome<RenewAnswer>>> answers = new HashMap<>();
    byResource.forEach(
        (id, requests) -> {
          var all = outcome(() -> renewing.renew(id, requests));
          for (int i = 0; i < requests.size(); i++) {
            int index = i;
            answers.put(requests.get(i), all.thenApply(outcome -> pick(outcome, index)));
          }
        });
    return together(batch.stream().map(one -> Objects.requireNonNull(answers.get(one))).toList());
  }

  /** Returns one answer of those that were asked for together. */
  private static Outcome<RenewAnswer> pick(Outcome<List<RenewAnswer>> all, int index) {
    if (all instanceof Outcome.Answered<List<RenewAnswer>> answered) {
      return Outcome.answered(answered.answer().get(index));
    } else if (all instanceof Outcome.Refused<List<RenewAnswer>> refused) {
      return Outcome.refused(refused.problem(), refused.message());
    } else if (all instanceof Outcome.Unknown<List<RenewAnswer>> unknown) {
      return Outcome.unknown(unknown.cause());
    }
    throw new IllegalArgumentException("no such outcome: " + all);
  }

  @Override
  public CompletionStage<List<Outcome<PollAnswer>>> poll(List<PollRequest> batch) {
    return together(
        batch.stream()
            .map(one -> outcome(() -> claims.poll(one.resource(), one.claim())))
            .toList());
  }

  @Override
  public CompletionStage<Outcome<Inspection>> inspect(ResourceId resource) {
    return outcome(() -> operator.inspect(resource));
  }

  @Override
  public CompletionStage<Outcome<Forced>> forceRelease(ForceRequest request) {
    return outcome(() -> operator.forceRelease(request));
  }

  @Override
  public CompletionStage<Outcome<List<String>>> namespaces() {
    return outcome(operator::namespaces);
  }

  @Override
  public CompletionStage<Outcome<List<ResourceId>>> resources(Listing<ResourceId> listing) {
    return outcome(() -> operator.resources().thenApply(listing::of));
  }

  @Override
  public CompletionStage<Outcome<List<CellId>>> cells(Listing<CellId> listing) {
    return outcome(() -> operator.cells().thenApply(listing::of));
  }

  @Override
  public CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return directory.clients(ids);
  }

  @Override
  public CompletionStage<Outcome<Resized>> resize(ResizeRequest request) {
    return outcome(() -> operator.resize(request));
  }

  @Override
  public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return cells.update(update);
  }

  @Override
  public CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    return cells.read(batch);
  }

  @Override
  public void close() {
    directory.leave();
    connection.close();
    deadlines.close();
  }

  private <T> CompletableFuture<Outcome<T>> outcome(Supplier<CompletableFuture<T>> operation) {
    CompletableFuture<T> started;
    try {
      started = operation.get();
    } catch (RuntimeException e) {
      started = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Outcome<T>> answered = started.thenApply(Outcome::answered);
    return deadlines.limit(answered).exceptionally(ZkFailures::outcome);
  }

  private static <T> CompletableFuture<List<Outcome<T>>> together(
      List<CompletableFuture<Outcome<T>>> all) {
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }
}

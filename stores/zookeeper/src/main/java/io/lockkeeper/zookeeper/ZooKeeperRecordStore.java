package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Records in ZooKeeper. A record is a node, whose data has the head and the entries that stay.
 * Those that are bound are its children, ephemeral and sequential: so they come in order, without
 * anybody reading or writing the record. Its version is the transaction that wrote its data.
 *
 * <p>A deletion writes another node too, which stays. Its version tells one absence from another.
 */
final class ZooKeeperRecordStore implements RecordStore, Connection.Listener {

  private final Connection connection;
  private final boolean ownsConnection;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private final Nodes nodes;
  private final OwnEntries own = new OwnEntries();
  private final NodeReads reads;
  private final Mail mail;
  private final ServerClock serverClock;
  private final NodeWrites writes;
  private final RecordClock clock;
  private volatile @Nullable Listener listener;

  /**
   * Creates it on a connection.
   *
   * @param ownsConnection whether the connection is closed with this
   * @param clock the clock of this process, by which leases run
   */
  ZooKeeperRecordStore(
      Connection connection, boolean ownsConnection, StoreContext context, RecordClock clock) {
    this.connection = connection;
    this.ownsConnection = ownsConnection;
    this.nodes = new Nodes(connection.settings().root());
    this.reads = new NodeReads(connection, nodes, own);
    this.mail = new Mail(connection, nodes.namespace(context.namespace()), context.clientId());
    this.serverClock = new ServerClock(context.environment().time());
    this.writes = new NodeWrites(connection, nodes, own, reads, mail, serverClock);
    this.clock = clock.withCalendar(serverClock);
    connection.addListener(this);
  }

  /**
   * Makes the folder of the namespace, and waits for that: a client that may not write there may
   * not do anything. If it fails otherwise, the next request tells.
   *
   * @throws StoreRefusedException if the user lacks a permission
   */
  void enterOrThrow() {
    ZooKeeperSettings settings = connection.settings();
    try {
      serverClock.learn(mail.rehearse().get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      return; // it may come yet
    } catch (ExecutionException e) {
      if (Answers.cause(e) instanceof ZkFailures.DeniedException denied) {
        throw new StoreRefusedException(
            StoreProblem.DENIED, settings.describe() + ": " + denied.getMessage());
      }
    }
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
  public RecordClock clock() {
    return clock;
  }

  @Override
  public boolean hasSessions() {
    return true;
  }

  @Override
  public long sessionMillis() {
    return connection.sureSessionMillis();
  }

  @Override
  public boolean provesAbsence() {
    return true;
  }

  @Override
  public boolean makesOnAnyAbsence() {
    return true;
  }

  @Override
  public boolean appends() {
    return true;
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean watches() {
    return true;
  }

  @Override
  public void listen(Listener hears) {
    listener = hears;
    mail.listen(hears);
  }

  // ------------------------------------------------------------- requests

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return each(
        requests,
        request -> outcome(() -> reads.read(request, watcher(request)).thenApply(Known::reading)));
  }

  private @Nullable Watcher watcher(ReadRequest request) {
    Listener hears = listener;
    return !request.isWatched() || hears == null ? null : new Watch(hears, request.key());
  }

  /** Equal for the same record, so that the session has one for many readings. */
  private record Watch(Listener listener, String key) implements Watcher {

    @Override
    public void process(WatchedEvent event) {
      if (event.getType() != EventType.None) {
        listener.changed(key);
      }
    }
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return each(
        changes, change -> guarded(() -> writes.commit(change)).exceptionally(ZkFailures::outcome));
  }

  @Override
  public CompletionStage<Outcome<Reading>> append(Appending appending) {
    return outcome(() -> writes.append(appending));
  }

  /** Lists folders, where a prefix does not name one without those that are another user's. */
  @Override
  public CompletionStage<Outcome<List<String>>> list(String prefix) {
    if (prefix.indexOf('/') >= 0) {
      return outcome(() -> keys(nodes.folder(prefix))).thenApply(all -> filtered(all, prefix));
    }
    return outcome(
            () ->
                children(nodes.root())
                    .thenCompose(
                        folders ->
                            joined(
                                folders.stream()
                                    .map(
                                        it ->
                                            nodes.root().equals("/")
                                                ? "/" + it
                                                : nodes.root() + "/" + it)
                                    .map(
                                        folder ->
                                            keys(folder).exceptionallyCompose(this::notDenied))
                                    .toList())))
        .thenApply(all -> filtered(all, prefix));
  }

  private CompletableFuture<List<String>> notDenied(Throwable failure) {
    return Answers.cause(failure) instanceof ZkFailures.DeniedException
        ? CompletableFuture.completedFuture(List.of())
        : CompletableFuture.failedFuture(Answers.cause(failure));
  }

  private static Outcome<List<String>> filtered(Outcome<List<String>> all, String prefix) {
    return all instanceof Outcome.Answered<List<String>> answered
        ? Outcome.answered(
            answered.answer().stream().filter(key -> key.startsWith(prefix)).toList())
        : all;
  }

  private CompletableFuture<List<String>> keys(String folder) {
    String name = folder.substring(folder.lastIndexOf('/') + 1);
    return children(folder)
        .thenApply(
            all ->
                all.stream()
                    .<@Nullable String>map(node -> Nodes.key(name, node))
                    .filter(Objects::nonNull)
                    .<String>map(Objects::requireNonNull)
                    .toList());
  }

  private CompletableFuture<List<String>> children(String path) {
    return connection
        .children(path)
        .thenApply(Connection.Children::names)
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(List.of())
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  // ------------------------------------------------------------- answers

  private static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static <T> CompletableFuture<Outcome<T>> outcome(Supplier<CompletableFuture<T>> request) {
    return guarded(request).thenApply(Outcome::answered).exceptionally(ZkFailures::outcome);
  }

  private static <Q, A> CompletableFuture<List<A>> each(
      List<Q> requests, Function<Q, CompletableFuture<A>> send) {
    List<CompletableFuture<A>> all = requests.stream().map(send).toList();
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  private static CompletableFuture<List<String>> joined(
      List<CompletableFuture<List<String>>> lists) {
    return each(lists, list -> list)
        .thenApply(
            all -> {
              List<String> joined = new ArrayList<>();
              all.forEach(joined::addAll);
              return joined;
            });
  }

  // ------------------------------------------------------------- the session

  @Override
  public void sessionLost(long session) {
    own.sessionLost(session);
  }

  @Override
  public void reconnected() {
    mail.watch();
  }

  /** Completes when this has been closed. */
  CompletableFuture<Boolean> ended() {
    return ended;
  }

  @Override
  public void close() {
    if (ownsConnection) {
      connection.close();
    }
    ended.complete(true);
  }
}

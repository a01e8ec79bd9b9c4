package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.rule.CellContent;
import io.lockkeeper.spi.rule.CellRule;
import io.lockkeeper.spi.support.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one client's namespace: one node each, which every update replaces as a whole,
 * provided that it is still what the update was made from.
 *
 * <p>The first client that sees a value whose time to live is over takes it out, before it reports
 * it as gone. So all clients agree about when that was, whatever they think of the time.
 */
final class Cells {

  /**
   * The largest data of a node, a little below what servers take by default in a request with all
   * that is around it: they cut the connection of a client that sends more.
   */
  static final int LARGEST_DATA = 1_000_000;

  /** How much of a node's data may be results of updates; the rest is for the value. */
  static final int LARGEST_VALUE = 900_000;

  private static final long MAX_PAUSE_MILLIS = 64;

  /** How often a new node is surely not written between a read and the writing that follows. */
  private static final int PARTING_WRITINGS = 64;

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final ServerClock clock;
  private final CellWatches watches;
  private final CellSweep sweep;
  private final OwnCells written = new OwnCells();

  /**
   * The findings about a cell.
   *
   * @param record its record
   * @param nodeVersion the version of its node for ZooKeeper; -1 if there is no node
   * @param isAsWritten whether the node holds this record, and not one whose value is over
   */
  record Found(CellRecord record, int nodeVersion, boolean isAsWritten) {}

  /**
   * Creates it.
   *
   * @param notifications the listener, which is set later
   */
  Cells(
      Connection connection,
      Paths paths,
      StoreContext context,
      Supplier<NotificationListener> notifications,
      ClientNodes directory) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.clock = new ServerClock(context.environment().time(), directory::touch);
    this.watches =
        new CellWatches(
            context.environment().time(), notifications, (cell, path, w) -> look(path, w));
    this.sweep = new CellSweep(clock, this::clean);
  }

  /** Returns what this client last wrote to a cell, if the cell is likely to be that still. */
  private CompletableFuture<Found> likely(String path) {
    Found own = written.likely(path, clock.nanos());
    return own == null ? find(path, null) : CompletableFuture.completedFuture(own);
  }

  // ------------------------------------------------------------- updates

  CompletableFuture<Outcome<CellUpdated>> update(CellUpdate update) {
    long deadline = clock.nanos() + connection.settings().timeout().toNanos();
    sweep.some();
    return attempt(update, 0, false, deadline).exceptionally(ZkFailures::outcome);
  }

  /**
   * Makes an update from what is likely to be there; after a failure, from what is there. Which is
   * no older than what made the attempt fail, since the same server told of that; for what is not
   * written and so not compared it must be the latest of all.
   */
  private CompletableFuture<Outcome<CellUpdated>> attempt(
      CellUpdate update, int failed, boolean isLatest, long deadline) {
    String path = paths.cell(update.cell());
    CompletableFuture<Void> caughtUp =
        isLatest ? connection.catchUp(paths.base()) : CompletableFuture.allOf();
    return caughtUp
        .thenCombine(failed == 0 ? likely(path) : find(path, null), (done, found) -> found)
        .thenCompose(this::withoutValueThatIsOver)
        .thenCompose(found -> make(update, path, found, isLatest))
        .exceptionallyCompose(failure -> retried(failure, update, failed, deadline));
  }

  private CompletableFuture<Outcome<CellUpdated>> retried(
      Throwable failure, CellUpdate update, int failed, long deadline) {
    written.forget(paths.cell(update.cell()));
    if (!ZkFailures.isConflict(failure) && !isStale(failure)) {
      return CompletableFuture.failedFuture(Answers.cause(failure));
    }
    if (clock.nanos() - deadline >= 0) {
      return CompletableFuture.failedFuture(
          new TimeoutException("others changed the cell again and again"));
    }
    return pause(failed)
        .thenCompose(paused -> attempt(update, failed + 1, isStale(failure), deadline));
  }

  private static boolean isStale(Throwable failure) {
    return Answers.cause(failure) instanceof StaleException;
  }

  /** Waits by chance, so that all who came too late do not come back at the same moment. */
  private CompletableFuture<Boolean> pause(int failed) {
    if (failed < 2) {
      return CompletableFuture.completedFuture(true);
    }
    long most = Math.min(MAX_PAUSE_MILLIS, 1L << Math.min(failed, 10));
    long millis = context.environment().random().nextLong(most) + 1;
    CompletableFuture<Boolean> paused = new CompletableFuture<>();
    connection.later(() -> paused.complete(true), TimeUnit.MILLISECONDS.toNanos(millis));
    return paused;
  }

  /**
   * Makes the changes and writes the result.
   *
   * @param isLatest whether the record is surely the latest, and not only that of a server that is
   *     notified of changes a little later
   */
  private CompletableFuture<Outcome<CellUpdated>> make(
      CellUpdate update, String path, Found found, boolean isLatest) {
    CellRecord.Memory last = found.record().memories().get(context.clientId());
    if (last != null && last.batch() == update.batch()) {
      return answered(new CellUpdated(last.results()));
    }
    if (last != null && last.batch() > update.batch()) {
      return clock
          .isOver(last.untilMillis())
          .thenCompose(
              over ->
                  over ? write(update, path, found, isLatest) : refused(CellRule.cameLate(update)));
    }
    return write(update, path, found, isLatest);
  }

  private CompletableFuture<Outcome<CellUpdated>> write(
      CellUpdate update, String path, Found found, boolean isLatest) {
    CellRecord base = found.record().withoutMemoriesUntil(clock.reachedMillis());
    CellRule.Updated made = CellRule.update(base.content(), update, CellRecord.WRITING);
    if (!made.isChange() && found.isAsWritten()) {
      // Made again later, it would do nothing again, or be a new attempt: nothing to remember.
      return isLatest
          ? answered(new CellUpdated(made.results()))
          : CompletableFuture.failedFuture(new StaleException());
    }
    CellRecord after = base.with(made, context.clientId(), update);
    byte[] data = after.write();
    if (data.length > LARGEST_DATA) {
      return refused(tooLarge(after, data.length));
    }
    long sent = clock.nanos();
    // Before it is heard what a look has found that this change's own event has led to.
    Consumer<Stat> done = stat -> watches.changed(path, found.record(), after.resolved(stat));
    return put(path, data, found.nodeVersion(), done)
        .thenApply(
            stat -> {
              clock.learn(stat, sent);
              CellRecord now = after.resolved(stat);
              // The node lives at least as long as it remembers this update.
              long sureNanos = TimeUnit.MILLISECONDS.toNanos(update.rememberMillis()) / 2 + sent;
              written.put(
                  path, found.nodeVersion(), new Found(now, stat.getVersion(), true), sureNanos);
              sweep.later(path, now);
              return Outcome.answered(new CellUpdated(CellRecord.resolved(made.results(), stat)));
            });
  }

  private static String tooLarge(CellRecord record, int size) {
    int value = record.value() == null ? 0 : record.value().size();
    return value > LARGEST_VALUE
        ? "a value of " + value + " bytes; ZooKeeper takes at most " + LARGEST_VALUE
        : "too many clients change it within a minute: what the store has to remember of their"
            + " updates has "
            + (size - value)
            + " bytes";
  }

  private CompletableFuture<Stat> put(
      String path, byte[] data, int nodeVersion, Consumer<Stat> done) {
    if (nodeVersion >= 0) {
      return connection.write(path, data, nodeVersion, done);
    }
    return connection
        .create(path, data, CreateMode.PERSISTENT, done)
        .thenApply(Connection.Created::stat)
        .exceptionallyCompose(
            failure -> {
              if (!ZkFailures.isMissing(failure)) {
                return CompletableFuture.failedFuture(Answers.cause(failure));
              }
              return connection
                  .createFolder(path.substring(0, path.lastIndexOf('/')))
                  .thenCompose(folder -> connection.create(path, data, CreateMode.PERSISTENT, done))
                  .thenApply(Connection.Created::stat);
            });
  }

  private static <T> CompletableFuture<Outcome<T>> answered(T answer) {
    return CompletableFuture.completedFuture(Outcome.answered(answer));
  }

  private static <T> CompletableFuture<Outcome<T>> refused(String message) {
    return CompletableFuture.completedFuture(Outcome.refused(StoreProblem.OTHER, message));
  }

  // ------------------------------------------------------------- reads

  CompletableFuture<List<Outcome<CellState>>> read(List<CellRead> batch) {
    sweep.some();
    // Sent before the reads, and so carried out before them: they see all that was before.
    CompletableFuture<Void> caughtUp = connection.catchUp(paths.base());
    List<CompletableFuture<Outcome<CellState>>> all = new ArrayList<>();
    for (CellRead read : batch) {
      all.add(
          read(read, caughtUp)
              .<Outcome<CellState>>thenApply(Outcome::answered)
              .exceptionally(ZkFailures::outcome));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<CellState> read(CellRead read, CompletableFuture<Void> caughtUp) {
    CellId cell = read.cell();
    String path = paths.cell(cell);
    if (read.watch()) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(context.timings().heartbeatMillis());
      watches.begin(cell, path, nanos);
    } else {
      watches.end(path);
    }
    Watcher watcher = read.watch() ? watches.watcher() : null;
    return caughtUp
        .thenCombine(find(path, watcher), (done, found) -> found)
        .thenCompose(found -> withoutWrittenValueThatIsOver(path, found, watcher))
        .thenApply(
            record -> {
              watches.found(path, record);
              return record
                  .content()
                  .state(read.knownVersion(), clock.leftMicros(record.endMillis()));
            });
  }

  /** Looks again at a cell whose node was written. */
  private void look(String path, Watcher watcher) {
    var unused = find(path, watcher).thenAccept(found -> watches.found(path, found.record()));
  }

  private CompletableFuture<Found> find(String path, @Nullable Watcher watcher) {
    return connection
        .read(path, watcher)
        .thenApply(
            node ->
                new Found(
                    CellRecord.read(path, node.data(), node.stat()),
                    node.stat().getVersion(),
                    true))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? missing(path, watcher)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  /** Watches for a node that is not there to be made. */
  private CompletableFuture<Found> missing(String path, @Nullable Watcher watcher) {
    Found none = new Found(CellRecord.NONE, -1, true);
    if (watcher == null) {
      return CompletableFuture.completedFuture(none);
    }
    return connection
        .exists(path, watcher)
        .thenCompose(stat -> find(path, watcher))
        .exceptionallyCompose(
            failure ->
                ZkFailures.isMissing(failure)
                    ? CompletableFuture.completedFuture(none)
                    : CompletableFuture.failedFuture(Answers.cause(failure)));
  }

  // ------------------------------------------------------------- ends

  private CompletableFuture<Found> withoutValueThatIsOver(Found found) {
    CellRecord record = found.record();
    if (!record.isPresent() || record.endMillis() == CellContent.NEVER) {
      return CompletableFuture.completedFuture(found);
    }
    return clock
        .isOver(record.endMillis())
        .thenApply(over -> over ? new Found(record.ended(), found.nodeVersion(), false) : found);
  }

  /** As above, and a value that is over has been taken out of the node by then. */
  private CompletableFuture<CellRecord> withoutWrittenValueThatIsOver(
      String path, Found found, @Nullable Watcher watcher) {
    return withoutValueThatIsOver(found)
        .thenCompose(
            left ->
                left.isAsWritten()
                    ? CompletableFuture.completedFuture(left.record())
                    : tidy(path, left)
                        .thenApply(done -> left.record())
                        .exceptionallyCompose(
                            failure ->
                                ZkFailures.isConflict(failure)
                                    ? find(path, watcher)
                                        .thenCompose(
                                            now ->
                                                withoutWrittenValueThatIsOver(path, now, watcher))
                                    : CompletableFuture.failedFuture(Answers.cause(failure))));
  }

  /** Writes a record that has become smaller by itself, or deletes its node if nothing is left. */
  private CompletableFuture<Void> tidy(String path, Found left) {
    CellRecord record = left.record().withoutMemoriesUntil(clock.reachedMillis());
    if (!record.isForgettable()) {
      sweep.later(path, record);
      return connection.write(path, record.write(), left.nodeVersion()).thenAccept(stat -> {});
    }
    return left.nodeVersion() >= PARTING_WRITINGS
        ? connection.delete(path, left.nodeVersion())
        : part(path, left.nodeVersion());
  }

  /**
   * Prepares the deletion of a node with a low version. A new node of the same path begins at zero,
   * so it could soon have the very version that somebody has read of this one, whose update would
   * then count as made of the new one. So the version is raised beyond what a new node reaches
   * between a read and a writing, and the node is deleted when all who read it before are done.
   */
  private CompletableFuture<Void> part(String path, int nodeVersion) {
    byte[] data = CellRecord.parting().write();
    List<Op> writings = new ArrayList<>();
    writings.add(Op.setData(path, data, nodeVersion));
    for (int i = 1; i < PARTING_WRITINGS; i++) {
      writings.add(Op.setData(path, data, -1));
    }
    sweep.partingLater(path);
    return connection.multi(writings).thenAccept(results -> {});
  }

  /** Takes out of a node what is over; what goes wrong is for the next who passes. */
  private void clean(String path) {
    var unused =
        find(path, null)
            .thenCompose(this::withoutValueThatIsOver)
            .thenCompose(
                left ->
                    left.nodeVersion() < 0 || left.record().isPresent()
                        ? CompletableFuture.<@Nullable Void>completedFuture(null)
                        : tidy(path, left));
  }

  /** Thrown when what was read may not be the latest, and only the latest will do. */
  private static final class StaleException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}

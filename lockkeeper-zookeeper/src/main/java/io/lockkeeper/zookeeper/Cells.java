package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one client's namespace: one node each, which every update replaces as a whole,
 * provided that it is still what the update was made from.
 *
 * <p>A value whose time to live is over is taken out by the first who sees it, before anybody is
 * told that it is gone. So all clients agree about when that was, whatever they think of the time.
 */
final class Cells {

  /**
   * The largest data of a node, a little below what servers take by default in a request with all
   * that is around it: they cut the connection of whoever sends more.
   */
  static final int LARGEST_DATA = 1_000_000;

  /** How much of a node's data may be results of updates; the rest is for the value. */
  static final int LARGEST_VALUE = 900_000;

  private static final long MAX_PAUSE_MILLIS = 64;

  private final Connection connection;
  private final Paths paths;
  private final StoreContext context;
  private final ServerClock clock;
  private final CellWatches watches;
  private final CellSweep sweep;

  /** A record, and the version of its node for ZooKeeper; -1 if there is no node. */
  record Found(CellRecord record, int nodeVersion) {}

  /**
   * Creates it.
   *
   * @param hints the listener, which is set later
   */
  Cells(
      Connection connection,
      Paths paths,
      StoreContext context,
      Supplier<HintListener> hints,
      Directory directory) {
    this.connection = connection;
    this.paths = paths;
    this.context = context;
    this.clock = new ServerClock(context.environment().time(), directory::touch);
    this.watches =
        new CellWatches(context.environment().time(), hints, (cell, path, w) -> look(path, w));
    this.sweep = new CellSweep(clock, this::clean);
  }

  // ------------------------------------------------------------- updates

  CompletableFuture<Outcome<CellUpdated>> update(CellUpdate update) {
    long deadline = clock.nanos() + connection.settings().timeout().toNanos();
    sweep.some();
    return attempt(update, 0, deadline).exceptionally(Failures::outcome);
  }

  /** Makes an update from what is there now; from the second attempt on, from the very latest. */
  private CompletableFuture<Outcome<CellUpdated>> attempt(
      CellUpdate update, int failed, long deadline) {
    String path = paths.cell(update.cell());
    CompletableFuture<Void> synced =
        failed == 0 ? CompletableFuture.allOf() : connection.sync(path);
    return synced
        .thenCombine(find(path, null), (done, found) -> found)
        .thenCompose(this::withoutValueThatIsOver)
        .thenCompose(found -> make(update, path, found, failed > 0))
        .handle((outcome, failure) -> retried(outcome, failure, update, failed, deadline))
        .thenCompose(next -> next);
  }

  private CompletableFuture<Outcome<CellUpdated>> retried(
      @Nullable Outcome<CellUpdated> outcome,
      @Nullable Throwable failure,
      CellUpdate update,
      int failed,
      long deadline) {
    if (outcome != null) {
      return CompletableFuture.completedFuture(outcome);
    }
    if (failure == null || !(Failures.isConflict(failure) || isStale(failure))) {
      return CompletableFuture.failedFuture(
          failure == null ? new IllegalStateException("no outcome") : failure);
    }
    if (clock.nanos() - deadline >= 0) {
      return CompletableFuture.failedFuture(
          new TimeoutException("others changed the cell again and again"));
    }
    return CompletableFuture.runAsync(() -> {}, pause(failed))
        .thenCompose(paused -> attempt(update, failed + 1, deadline));
  }

  private static boolean isStale(Throwable failure) {
    return Failures.unwrap(failure) instanceof StaleException;
  }

  /** Who came too late does not come back at the same moment as all others who did. */
  private java.util.concurrent.Executor pause(int failed) {
    if (failed < 2) {
      return Runnable::run;
    }
    long most = Math.min(MAX_PAUSE_MILLIS, 1L << failed);
    long millis = context.environment().random().nextLong(most) + 1;
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Makes the changes and writes the result.
   *
   * @param isLatest whether the record is surely the latest, and not only that of a server that
   *     hears of changes a little later
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
                  over
                      ? write(update, path, found, isLatest)
                      : refused("a later update of this client came before this one"));
    }
    return write(update, path, found, isLatest);
  }

  private CompletableFuture<Outcome<CellUpdated>> write(
      CellUpdate update, String path, Found found, boolean isLatest) {
    CellRecord base = found.record().withoutMemoriesUntil(clock.reachedMillis());
    CellEdit edit = new CellEdit(base).make(update.changes());
    if (!edit.isChange() && base.value() == found.record().value()) {
      // Made again later, it would do nothing again, or be a new attempt: nothing to remember.
      return isLatest
          ? answered(new CellUpdated(edit.results()))
          : CompletableFuture.failedFuture(new StaleException());
    }
    CellRecord after = edit.record(context.clientId(), update);
    byte[] data = after.write();
    if (data.length > LARGEST_DATA) {
      return refused(tooLarge(after, data.length));
    }
    long sent = clock.nanos();
    return put(path, data, found.nodeVersion())
        .thenApply(
            stat -> {
              clock.learn(stat, sent);
              CellRecord written = after.resolved(stat);
              watches.changed(path, found.record(), written);
              sweep.later(path, written);
              return Outcome.answered(
                  new CellUpdated(CellRecord.resolved(edit.results(), stat)));
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

  private CompletableFuture<Stat> put(String path, byte[] data, int nodeVersion) {
    if (nodeVersion >= 0) {
      return connection.write(path, data, nodeVersion);
    }
    return connection
        .create(path, data, CreateMode.PERSISTENT)
        .thenApply(Connection.Created::stat)
        .exceptionallyCompose(
            failure -> {
              if (!Failures.isMissing(failure)) {
                return CompletableFuture.failedFuture(Failures.unwrap(failure));
              }
              return connection
                  .createFolder(path.substring(0, path.lastIndexOf('/')))
                  .thenCompose(folder -> connection.create(path, data, CreateMode.PERSISTENT))
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
    CompletableFuture<Void> synced = connection.sync(paths.base());
    List<CompletableFuture<Outcome<CellState>>> all = new ArrayList<>();
    for (CellRead read : batch) {
      all.add(
          read(read, synced)
              .<Outcome<CellState>>thenApply(Outcome::answered)
              .exceptionally(Failures::outcome));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<CellState> read(CellRead read, CompletableFuture<Void> synced) {
    CellId cell = read.cell();
    String path = paths.cell(cell);
    if (read.watch()) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(context.timings().heartbeatMillis());
      watches.begin(cell, path, nanos);
    } else {
      watches.end(path);
    }
    Watcher watcher = read.watch() ? watches.watcher() : null;
    return synced
        .thenCombine(find(path, watcher), (done, found) -> found)
        .thenCompose(found -> withoutWrittenValueThatIsOver(path, found, watcher))
        .thenApply(
            record -> {
              watches.found(path, record);
              return record.state(read.knownVersion(), clock.leftMicros(record.endMillis()));
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
                    CellRecord.read(path, node.data(), node.stat()), node.stat().getVersion()))
        .exceptionallyCompose(
            failure ->
                Failures.isMissing(failure)
                    ? missing(path, watcher)
                    : CompletableFuture.failedFuture(Failures.unwrap(failure)));
  }

  /** Watches for a node that is not there to be made. */
  private CompletableFuture<Found> missing(String path, @Nullable Watcher watcher) {
    Found none = new Found(CellRecord.NONE, -1);
    if (watcher == null) {
      return CompletableFuture.completedFuture(none);
    }
    return connection
        .exists(path, watcher)
        .handle(
            (stat, failure) -> {
              if (stat != null) {
                return find(path, watcher);
              }
              return failure != null && Failures.isMissing(failure)
                  ? CompletableFuture.completedFuture(none)
                  : CompletableFuture.<Found>failedFuture(Failures.unwrap(failure));
            })
        .thenCompose(next -> next);
  }

  // ------------------------------------------------------------- ends

  private CompletableFuture<Found> withoutValueThatIsOver(Found found) {
    CellRecord record = found.record();
    if (!record.isPresent() || record.endMillis() == CellRecord.NEVER) {
      return CompletableFuture.completedFuture(found);
    }
    return clock
        .isOver(record.endMillis())
        .thenApply(over -> over ? new Found(record.ended(), found.nodeVersion()) : found);
  }

  /** As above, and a value that is over has been taken out of the node by then. */
  private CompletableFuture<CellRecord> withoutWrittenValueThatIsOver(
      String path, Found found, @Nullable Watcher watcher) {
    return withoutValueThatIsOver(found)
        .thenCompose(
            left ->
                left.record().isPresent() == found.record().isPresent()
                    ? CompletableFuture.completedFuture(left.record())
                    : tidy(path, left)
                        .handle(
                            (done, failure) -> {
                              if (failure == null) {
                                return CompletableFuture.completedFuture(left.record());
                              }
                              return Failures.isConflict(failure)
                                  ? find(path, watcher)
                                      .thenCompose(
                                          again ->
                                              withoutWrittenValueThatIsOver(path, again, watcher))
                                  : CompletableFuture.<CellRecord>failedFuture(
                                      Failures.unwrap(failure));
                            })
                        .thenCompose(next -> next));
  }

  /** Writes a record that has become smaller by itself, or deletes its node if nothing is left. */
  private CompletableFuture<Void> tidy(String path, Found left) {
    CellRecord record = left.record().withoutMemoriesUntil(clock.reachedMillis());
    if (record.isForgettable()) {
      return connection.delete(path, left.nodeVersion());
    }
    sweep.later(path, record);
    return connection.write(path, record.write(), left.nodeVersion()).thenAccept(stat -> {});
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

  /** What was read may not be the latest, and only the latest will do. */
  private static final class StaleException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}

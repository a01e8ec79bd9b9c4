package io.lockkeeper.engine;

import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one client wants of one cell: the heart of counters, shared values and latches. A state
 * machine without threads, I/O or clock.
 *
 * <p><b>Changes.</b> One update is under way at a time. What threads want meanwhile gathers, and
 * goes out with the next one: so the more threads, the more changes in a request. An update without
 * an answer is sent again with the same number, which does no harm, until the store has answered or
 * the client's patience is over.
 *
 * <p><b>Reads.</b> One read is under way at a time, too. A caller's question is answered by a read
 * that was sent after it came, never by one that was under way already.
 *
 * <p><b>Watching.</b> While somebody watches, the cell is read about once a second, at once after a
 * hint or an interruption of the connection, and after each change of this client's own. So a lost
 * hint costs a second at most.
 *
 * <p>Not thread-safe: guarded by the gate's mutex.
 */
final class CellDesk {

  /** How often a watched cell is read, whatever the client has been told. */
  private static final long READ_NANOS = 1_000_000_000;

  /** How long after the end of a time to live the cell is read. */
  private static final long READ_SLACK_NANOS = 10_000_000;

  /** How large the values in one update may be together, unless it is only one. */
  private static final int MAX_BYTES = 1 << 20;

  private static final long MIN_REMEMBER_MILLIS = 60_000;
  private static final long MAX_REMEMBER_MILLIS = 3_600_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final CellId id;
  private final Policy policy;
  private final CellEffects effects;

  /** How long the store is to know the results of an update. */
  private final long rememberMillis;

  private final ArrayDeque<CellTask> wanted = new ArrayDeque<>();
  private @Nullable CellBatch underWay;

  /** When to send the update again. */
  private long retryNanos = Margins.NEVER;

  private int updateFailures;

  /** Who waits for the answer of the read that is under way. */
  private List<CompletableFuture<CellState>> readers = new ArrayList<>();

  /** Who waits for the next read. */
  private List<CompletableFuture<CellState>> nextReaders = new ArrayList<>();

  /** The number of the last read that was sent. */
  private long readNumber;

  private boolean isReading;

  /** Whether the read that is under way asked to watch. */
  private boolean isWatchAsked;

  /** Whether to read again when the read that is under way is answered. */
  private boolean isReadStale;

  /** When to read, if no read is under way. */
  private long readNanos = Margins.NEVER;

  private int readFailures;

  /** Whether the store may believe that this client watches. */
  private boolean isRegistered;

  /** A watcher, and the last read that was sent before it came. */
  private record Watching(CellWatcher watcher, long since) {}

  private final List<Watching> watchers = new ArrayList<>();

  /** What the last answered read found. */
  private CellState known = new CellState.Absent();

  /** When the first of a row of unanswered questions failed, or {@link Margins#NEVER}. */
  private long silentSinceNanos = Margins.NEVER;

  private long usedNanos;

  CellDesk(CellId id, Policy policy, CellEffects effects, long now) {
    this.id = id;
    this.policy = policy;
    this.effects = effects;
    this.usedNanos = now;
    long twicePatienceMillis = policy.patienceNanos() / NANOS_PER_MILLI * 2;
    this.rememberMillis =
        Math.max(MIN_REMEMBER_MILLIS, Math.min(MAX_REMEMBER_MILLIS, twicePatienceMillis));
  }

  // ------------------------------------------------------------- changes

  void change(CellTask task, long now) {
    usedNanos = now;
    wanted.add(task);
    if (underWay == null) {
      sendNext(now);
    }
  }

  private void sendNext(long now) {
    underWay = null;
    updateFailures = 0;
    retryNanos = Margins.NEVER;
    List<CellTask> tasks = takeWanted();
    if (!tasks.isEmpty()) {
      List<CellChange> changes = tasks.stream().map(CellTask::change).toList();
      CellUpdate update = new CellUpdate(id, policy.nextClaim(), changes, rememberMillis);
      underWay = new CellBatch(update, tasks, now);
      effects.update(underWay);
    }
  }

  private List<CellTask> takeWanted() {
    List<CellTask> tasks = new ArrayList<>();
    int bytes = 0;
    for (CellTask task = wanted.peek(); task != null; task = wanted.peek()) {
      bytes += task.size();
      if (tasks.size() == Store.MAX_CHANGES || (!tasks.isEmpty() && bytes > MAX_BYTES)) {
        break;
      }
      tasks.add(wanted.remove());
    }
    return tasks;
  }

  void updateAnswered(CellBatch batch, Outcome<CellUpdated> outcome, long now) {
    if (underWay == null || batch.update().batch() != underWay.update().batch()) {
      return; // it was given up
    }
    usedNanos = now;
    if (outcome instanceof Outcome.Answered<CellUpdated> answered) {
      heard();
      if (answered.answer().results().size() != batch.tasks().size()) {
        throw new IllegalStateException("an update of " + id + " was answered in part");
      }
      settle(batch, answered.answer().results());
      sendNext(now);
    } else if (outcome instanceof Outcome.Refused<CellUpdated> refused) {
      heard();
      failTasks(batch.tasks(), refusal(refused));
      sendNext(now);
    } else if (outcome instanceof Outcome.Unknown<CellUpdated> unknown) {
      silent(now);
      if (!failedForGood(unknown.cause(), now) && !gaveUp(batch, unknown.cause(), now)) {
        retryNanos = now + policy.backoffNanos(updateFailures++);
      }
    }
  }

  private void settle(CellBatch batch, List<CellResult> results) {
    for (int i = 0; i < batch.tasks().size(); i++) {
      CompletableFuture<CellResult> done = batch.tasks().get(i).done();
      CellResult result = results.get(i);
      effects.tell(() -> done.complete(result));
    }
    if (!watchers.isEmpty()) {
      readAtOnce(); // the store does not tell the one who made a change
    }
  }

  /**
   * Gives up an update that the store might soon have forgotten, so that sending it again would not
   * be safe; returns whether it did.
   */
  private boolean gaveUp(CellBatch batch, Throwable cause, long now) {
    if (now - batch.firstSentNanos() < rememberMillis / 2 * NANOS_PER_MILLI) {
      return false;
    }
    failTasks(batch.tasks(), silence(cause));
    sendNext(now);
    return true;
  }

  // ------------------------------------------------------------- reads

  void read(CompletableFuture<CellState> reader, long now) {
    usedNanos = now;
    nextReaders.add(reader);
    if (readFailures == 0) {
      readAtOnce();
    }
  }

  private void readAtOnce() {
    if (isReading) {
      isReadStale = true;
    } else {
      CellRead read = startRead();
      effects.read(read, readNumber);
    }
  }

  /** Returns a read if one is due, for the caller to send. */
  @Nullable CellRead takeReadIfDue(long now) {
    return isReading || now < readNanos ? null : startRead();
  }

  /** Returns the number of the last read. */
  long readNumber() {
    return readNumber;
  }

  private CellRead startRead() {
    readers = nextReaders;
    nextReaders = new ArrayList<>();
    readNumber++;
    isReading = true;
    isReadStale = false;
    readNanos = Margins.NEVER;
    isWatchAsked = !watchers.isEmpty();
    isRegistered |= isWatchAsked;
    long knownVersion = known instanceof CellState.Present present ? present.version() : 0;
    return new CellRead(id, isWatchAsked, knownVersion);
  }

  void readAnswered(long number, Outcome<CellState> outcome, long now) {
    if (!isReading || number != readNumber) {
      return;
    }
    usedNanos = now;
    isReading = false;
    if (outcome instanceof Outcome.Answered<CellState> answered) {
      found(answered.answer(), now);
    } else if (outcome instanceof Outcome.Refused<CellState> refused) {
      heard();
      readFailures = 0;
      isRegistered &= isWatchAsked;
      RuntimeException refusal = refusal(refused);
      failReaders(refusal);
      failWatchers(refusal);
      readNanos = watchers.isEmpty() ? Margins.NEVER : now + policy.jitter(READ_NANOS);
    } else if (outcome instanceof Outcome.Unknown<CellState> unknown) {
      unanswered(unknown.cause(), now);
    }
    if (!isReading && readFailures == 0 && isReadWanted()) {
      readAtOnce();
    }
  }

  private boolean isReadWanted() {
    return !nextReaders.isEmpty()
        || (isReadStale && !watchers.isEmpty())
        || (isRegistered && watchers.isEmpty());
  }

  private void found(CellState answer, long now) {
    heard();
    readFailures = 0;
    isRegistered = isWatchAsked;
    long leftMicros = leftMicros(answer);
    if (!(answer instanceof CellState.Unchanged)) {
      known = answer;
    }
    CellState state = known;
    for (CompletableFuture<CellState> reader : readers) {
      effects.tell(() -> reader.complete(state));
    }
    readers = new ArrayList<>();
    for (Watching watching : List.copyOf(watchers)) {
      if (watching.since() < readNumber && watching.watcher().sees(state)) {
        tell(watching);
      }
    }
    readNanos = watchers.isEmpty() ? Margins.NEVER : nextRead(leftMicros, now);
  }

  private static long leftMicros(CellState state) {
    if (state instanceof CellState.Present present) {
      return present.leftMicros();
    }
    return state instanceof CellState.Unchanged unchanged ? unchanged.leftMicros() : -1;
  }

  private long nextRead(long leftMicros, long now) {
    long interval = policy.jitter(READ_NANOS);
    return now
        + (leftMicros < 0 ? interval : Math.min(interval, leftMicros * 1_000 + READ_SLACK_NANOS));
  }

  private void unanswered(Throwable cause, long now) {
    nextReaders.addAll(0, readers);
    readers = new ArrayList<>();
    silent(now);
    if (failedForGood(cause, now)) {
      readFailures = 0;
    }
    if (watchers.isEmpty() && nextReaders.isEmpty()) {
      readFailures = 0;
      isRegistered = false; // it was to end the watching, which ends by itself
    } else {
      readNanos = now + policy.backoffNanos(readFailures++);
    }
  }

  // ------------------------------------------------------------- watching

  void watch(CellWatcher watcher, long now) {
    usedNanos = now;
    watchers.add(new Watching(watcher, readNumber));
    if (readFailures == 0) {
      readAtOnce();
    }
  }

  /** Takes a watcher out; returns whether it was there. */
  boolean leave(CellWatcher watcher, long now) {
    usedNanos = now;
    boolean wasThere = watchers.removeIf(watching -> watching.watcher() == watcher);
    stopWatchingIfAlone();
    return wasThere;
  }

  private void stopWatchingIfAlone() {
    if (watchers.isEmpty()) {
      readNanos = nextReaders.isEmpty() ? Margins.NEVER : readNanos;
      readFailures = nextReaders.isEmpty() ? 0 : readFailures;
      if (isRegistered && !isReading) {
        readAtOnce();
      }
    }
  }

  private void tell(Watching watching) {
    if (watching.watcher().isOver()) {
      watchers.remove(watching);
    }
    effects.tell(watching.watcher()::tell);
  }

  /** Notes that the store says that the cell has changed. */
  void changed() {
    if (!watchers.isEmpty()) {
      readAtOnce();
    }
  }

  /** Brings forward whatever waits for the store to come back. */
  void reconnected(long now) {
    if (retryNanos != Margins.NEVER) {
      retryNanos = now;
    }
    if (readNanos != Margins.NEVER) {
      readNanos = now;
    }
    isReadStale |= isReading;
  }

  // ------------------------------------------------------------- silence

  private void heard() {
    silentSinceNanos = Margins.NEVER;
  }

  private void silent(long now) {
    silentSinceNanos = Math.min(silentSinceNanos, now);
  }

  boolean isSilent() {
    return silentSinceNanos != Margins.NEVER;
  }

  /** Fails everybody if the client's patience is over; returns whether it is. */
  private boolean failedForGood(Throwable cause, long now) {
    if (now - silentSinceNanos < policy.patienceNanos()) {
      return false;
    }
    failAll(silence(cause));
    silentSinceNanos = Margins.NEVER;
    return true;
  }

  private void failAll(RuntimeException failure) {
    CellBatch batch = underWay;
    if (batch != null) {
      failTasks(batch.tasks(), failure);
    }
    failTasks(List.copyOf(wanted), failure);
    wanted.clear();
    underWay = null;
    retryNanos = Margins.NEVER;
    updateFailures = 0;
    readers.addAll(nextReaders);
    nextReaders = new ArrayList<>();
    failReaders(failure);
    failWatchers(failure);
  }

  private void failTasks(List<CellTask> tasks, RuntimeException failure) {
    for (CellTask task : tasks) {
      effects.tell(() -> task.done().completeExceptionally(failure));
    }
  }

  private void failReaders(RuntimeException failure) {
    for (CompletableFuture<CellState> reader : readers) {
      effects.tell(() -> reader.completeExceptionally(failure));
    }
    readers = new ArrayList<>();
  }

  private void failWatchers(RuntimeException failure) {
    for (Watching watching : List.copyOf(watchers)) {
      if (watching.watcher().fails(failure)) {
        tell(watching);
      }
    }
  }

  private RuntimeException silence(Throwable cause) {
    return policy.unavailable("'" + id.name() + "': the store does not answer", cause);
  }

  private <T> RuntimeException refusal(Outcome.Refused<T> refused) {
    return new StoreRefusedException(
        refused.problem(), "'" + id.name() + "': " + refused.message());
  }

  // ------------------------------------------------------------- time

  /** Sends again what is due. */
  void retryIfDue(long now) {
    if (now >= retryNanos && underWay != null) {
      retryNanos = Margins.NEVER;
      effects.update(underWay);
    }
  }

  long dueNanos() {
    long read = isReading ? Margins.NEVER : readNanos;
    return Math.min(Math.min(retryNanos, read), isIdle() ? usedNanos + READ_NANOS : Margins.NEVER);
  }

  /** Returns whether nothing has happened here for a while and nobody wants anything. */
  boolean isRetirable(long now) {
    return isIdle() && now - usedNanos >= READ_NANOS;
  }

  private boolean isIdle() {
    return underWay == null && isQuiet() && watchers.isEmpty() && nextReaders.isEmpty();
  }

  /** Returns whether the store knows that this client does not watch. */
  boolean isQuiet() {
    return !isReading && !isRegistered;
  }

  /** Ends all waits. */
  void close(RuntimeException failure, long now) {
    usedNanos = now;
    failAll(failure);
    watchers.clear();
    stopWatchingIfAlone();
  }
}

package io.lockkeeper.engine.state;

import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what one client wants of one register: the heart of counters, shared values and latches. A
 * state machine without threads, I/O, clock or futures.
 *
 * <p><b>Changes</b> go through {@link RegisterUpdates}: so the more threads, the more changes in a
 * request.
 *
 * <p><b>Reads.</b> One read is under way at a time, too. A caller's question is answered by a read
 * that was sent after it came, never by one that was under way already.
 *
 * <p><b>Watching.</b> While somebody watches, the cell is read about once a second, at once after a
 * notification or an interruption of the connection, and after each change of this client's own. So
 * a lost notification costs a second at most. A wait that may be over at once begins with a look
 * without a watch: then the store need not remember the client, and forget it.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
public final class RegisterState {

  /** How often a watched cell is read, whatever the client has been told. */
  private static final long READ_NANOS = 1_000_000_000;

  /** How long after the end of a time to live the cell is read. */
  private static final long READ_SLACK_NANOS = 10_000_000;

  /** For about how long a store believes that a client watches: longer there is no harm in it. */
  private static final long WATCHED_NANOS = 5_000_000_000L;

  private final CellId id;
  private final Policy policy;
  private final RegisterEffects effects;

  /** When in a second this client reads what it watches. */
  private final long phaseNanos;

  private final RegisterUpdates updates;

  /** The requests that wait for the answer of the read that is under way. */
  private List<Receiver<CellState>> readers = new ArrayList<>();

  /** The requests that wait for the next read. */
  private List<Receiver<CellState>> nextReaders = new ArrayList<>();

  /** The number of the last read that was sent. */
  private long readNumber;

  private boolean isReading;

  /** Whether the read that is under way asked to watch. */
  private boolean isWatchAsked;

  /** Whether to read again when the read that is under way is answered. */
  private boolean isReadStale;

  /** When to read, if no read is under way. */
  private long readNanos = Instants.NEVER;

  private int readFailures;

  /** Whether the store may believe that this client watches. */
  private boolean isRegistered;

  /** When it was last asked to believe so. */
  private long watchedNanos;

  private boolean isClosed;

  private final Watchers watchers;

  /** The result of the last read that was answered. */
  private CellState known = new CellState.Absent();

  private final Silence silence = new Silence();

  private long usedNanos;

  /**
   * Creates the state of a register.
   *
   * @param phaseNanos when in a second this client reads what it watches
   */
  public RegisterState(
      CellId id, Policy policy, RegisterEffects effects, long phaseNanos, long now) {
    this.id = id;
    this.policy = policy;
    this.effects = effects;
    this.phaseNanos = phaseNanos;
    this.updates = new RegisterUpdates(id, policy, effects);
    this.watchers = new Watchers(effects);
    this.usedNanos = now;
  }

  // ------------------------------------------------------------- changes

  public void change(RegisterChange change, long now) {
    usedNanos = now;
    updates.add(change, now);
  }

  public void updateAnswered(RegisterBatch batch, Outcome<CellUpdated> outcome, long now) {
    if (!updates.isUnderWay(batch)) {
      return; // it was given up
    }
    usedNanos = now;
    if (outcome instanceof Outcome.Answered<CellUpdated> answered) {
      silence.end();
      updates.answered(batch, answered.answer().results(), now);
      changed(now); // the store does not tell the one who made a change
    } else if (outcome instanceof Outcome.Refused<CellUpdated> refused) {
      silence.end();
      updates.refused(batch, refusal(refused), now);
    } else if (outcome instanceof Outcome.Unknown<CellUpdated> unknown) {
      silence.goOn(unknown.cause(), now);
      if (!failedForGood(unknown.cause(), now)) {
        updates.unanswered(batch, silence(unknown.cause()), now);
      }
    }
  }

  // ------------------------------------------------------------- reads

  public void read(Receiver<CellState> reader, long now) {
    usedNanos = now;
    nextReaders.add(reader);
    if (readFailures == 0) {
      readAtOnce(now);
    }
  }

  private void readAtOnce(long now) {
    if (isReading) {
      isReadStale = true;
    } else {
      CellRead read = startRead(now);
      effects.read(read, readNumber);
    }
  }

  /** Returns a read if one is due, for the caller to send. */
  public @Nullable CellRead takeReadIfDue(long now) {
    return isReading || now < readNanos ? null : startRead(now);
  }

  /** Returns the number of the last read. */
  public long readNumber() {
    return readNumber;
  }

  private CellRead startRead(long now) {
    readers = nextReaders;
    nextReaders = new ArrayList<>();
    readNumber++;
    isReading = true;
    isReadStale = false;
    readNanos = Instants.NEVER;
    isWatchAsked = watchers.mustBeTold();
    if (isWatchAsked) {
      isRegistered = true;
      watchedNanos = now;
    }
    long knownVersion = known instanceof CellState.Present present ? present.version() : 0;
    return new CellRead(id, isWatchAsked, knownVersion);
  }

  public void readAnswered(long number, Outcome<CellState> outcome, long now) {
    if (!isReading || number != readNumber) {
      return;
    }
    usedNanos = now;
    isReading = false;
    if (outcome instanceof Outcome.Answered<CellState> answered) {
      found(answered.answer(), now);
    } else if (outcome instanceof Outcome.Refused<CellState> refused) {
      silence.end();
      readFailures = 0;
      isRegistered &= isWatchAsked;
      RuntimeException refusal = refusal(refused);
      failReaders(refusal);
      watchers.fail(refusal);
      readNanos = watchers.isEmpty() ? Instants.NEVER : nextRead(-1, now);
    } else if (outcome instanceof Outcome.Unknown<CellState> unknown) {
      unanswered(unknown.cause(), now);
    }
    if (!isReading && readFailures == 0 && isReadWanted()) {
      readAtOnce(now);
    }
  }

  private boolean isReadWanted() {
    return !nextReaders.isEmpty()
        || (isReadStale && !watchers.isEmpty())
        || isRegistered != watchers.mustBeTold();
  }

  private void found(CellState answer, long now) {
    silence.end();
    readFailures = 0;
    isRegistered = isWatchAsked;
    long leftMicros = leftMicros(answer);
    if (!(answer instanceof CellState.Unchanged)) {
      known = answer;
    }
    CellState state = known;
    for (Receiver<CellState> reader : readers) {
      effects.tell(() -> reader.receive(state));
    }
    readers = new ArrayList<>();
    watchers.see(state, readNumber);
    readNanos = watchers.isEmpty() ? Instants.NEVER : nextRead(leftMicros, now);
  }

  private static long leftMicros(CellState state) {
    if (state instanceof CellState.Present present) {
      return present.leftMicros();
    }
    return state instanceof CellState.Unchanged unchanged ? unchanged.leftMicros() : -1;
  }

  /** Returns when to read next: with all other cells of this client, so that reads go together. */
  private long nextRead(long leftMicros, long now) {
    long beat = now + READ_NANOS - Math.floorMod(now - phaseNanos, READ_NANOS);
    return leftMicros < 0 ? beat : Math.min(beat, now + leftMicros * 1_000 + READ_SLACK_NANOS);
  }

  private void unanswered(Throwable cause, long now) {
    nextReaders.addAll(0, readers);
    readers = new ArrayList<>();
    silence.goOn(cause, now);
    if (failedForGood(cause, now)) {
      readFailures = 0;
    }
    boolean isWanted = !watchers.isEmpty() || !nextReaders.isEmpty();
    if (!isWanted && isClosed && isWatchAsked) {
      readFailures = 0; // one more question, to end the watching
    } else if (!isWanted && (isClosed || now - watchedNanos >= WATCHED_NANOS)) {
      readFailures = 0;
      isRegistered = false; // it was to end the watching, which ends by itself too
    } else {
      readNanos = now + policy.backoffNanos(readFailures++);
    }
  }

  // ------------------------------------------------------------- watching

  public void watch(RegisterWatcher watcher, long now) {
    usedNanos = now;
    watchers.add(watcher, readNumber);
    if (readFailures == 0) {
      readAtOnce(now);
    }
  }

  /** Takes a watcher out; returns whether it was there. */
  public boolean leave(RegisterWatcher watcher, long now) {
    usedNanos = now;
    boolean wasThere = watchers.remove(watcher);
    stopWatchingIfAlone(now);
    return wasThere;
  }

  private void stopWatchingIfAlone(long now) {
    if (watchers.isEmpty()) {
      readNanos = nextReaders.isEmpty() ? Instants.NEVER : readNanos;
      readFailures = nextReaders.isEmpty() ? 0 : readFailures;
      if (isRegistered && !isReading) {
        readAtOnce(now);
      }
    }
  }

  /** Notes that the store says that the cell has changed. */
  public void changed(long now) {
    if (!watchers.isEmpty()) {
      readAtOnce(now);
    }
  }

  /** Brings forward whatever waits for the store to come back. */
  public void reconnected(long now) {
    updates.reconnected(now);
    if (readNanos != Instants.NEVER) {
      readNanos = now;
    }
    isReadStale |= isReading;
  }

  // ------------------------------------------------------------- silence

  /** Returns why the store has not answered the last question, or null if it has. */
  public @Nullable Throwable lastFailure() {
    return silence.cause();
  }

  /** Fails everybody if the client's patience is over; returns whether it is. */
  private boolean failedForGood(Throwable cause, long now) {
    if (!silence.hasLasted(policy.patienceNanos(), now)) {
      return false;
    }
    failAll(silence(cause));
    silence.end();
    return true;
  }

  private void failAll(RuntimeException failure) {
    updates.failAll(failure);
    readers.addAll(nextReaders);
    nextReaders = new ArrayList<>();
    failReaders(failure);
    watchers.fail(failure);
  }

  private void failReaders(RuntimeException failure) {
    for (Receiver<CellState> reader : readers) {
      effects.tell(() -> reader.fail(failure));
    }
    readers = new ArrayList<>();
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
  public void retryIfDue(long now) {
    updates.retryIfDue(now);
  }

  public long dueNanos() {
    long read = isReading ? Instants.NEVER : readNanos;
    return Math.min(
        Math.min(updates.dueNanos(), read),
        isIdle() ? Instants.sweepAfter(usedNanos + READ_NANOS) : Instants.NEVER);
  }

  /** Returns whether nothing has happened here for a while and nobody wants anything. */
  public boolean isRetirable(long now) {
    return isIdle() && now - usedNanos >= READ_NANOS;
  }

  private boolean isIdle() {
    return updates.isIdle() && isDrained() && watchers.isEmpty() && nextReaders.isEmpty();
  }

  /** Returns whether the store knows that this client does not watch. */
  public boolean isDrained() {
    return !isReading && !isRegistered;
  }

  /** Ends all waits. */
  public void close(RuntimeException failure, long now) {
    usedNanos = now;
    isClosed = true;
    failAll(failure);
    watchers.clear();
    stopWatchingIfAlone(now);
  }
}

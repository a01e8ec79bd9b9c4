package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one client on records: read, decide, commit, and again if another client was faster.
 *
 * <p>Of one client one step at a time is taken on a record, in the order of asking, so that it does
 * not contend with itself. What it last knew of the record it decides on without reading: a commit
 * that succeeds proves that to be current, since no version comes again. A decision to change
 * nothing proves nothing, so it counts only on a reading that was asked for after the step began.
 *
 * <p>On a conflict a step waits, longer each time and by chance; one that has not succeeded when
 * its patience is over is unknown. Its time counts against what it asks for: a client measures its
 * lease from when it asked, and each decision is made at the time of the store then.
 */
final class Steps implements AutoCloseable {

  /** Of how many records is remembered what they were. */
  private static final int MOST_KNOWN = 1_000;

  /** How many entries of a queue are read at first: a run, and who stands behind it. */
  private static final int FIRST_ENTRIES = 2 * Store.MAX_RUN;

  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final int MOST_DOUBLINGS = 7;

  /** One record, as this client knows it: who is at work on it, and what it was. */
  private static final class Lane {
    private CompletableFuture<?> last = CompletableFuture.completedFuture(true);
    private volatile @Nullable Reading known;
  }

  private final Environment environment;
  private final Scheduler scheduler;
  private final long patienceNanos;
  private final String own;
  private final RecordClock clock;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<String, Lane> lanes = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates it.
   *
   * @param own how the names of this client's entries begin
   * @param patienceNanos how long conflicts may keep a step from succeeding
   * @param clock takes note of changes
   */
  Steps(Environment environment, String own, long patienceNanos, RecordClock clock) {
    this.environment = environment;
    this.scheduler = environment.schedulers().get();
    this.own = own;
    this.clock = clock;
    this.patienceNanos = patienceNanos;
  }

  /** Takes a step on a record, when its turn has come. */
  <T> CompletionStage<Outcome<T>> take(String key, Courier courier, Decision.Step<T> step) {
    return inTurn(key, lane -> new Attempt<>(key, lane, courier, step).begin());
  }

  /** Does something later, unless this has been closed. */
  void later(long nanos, Runnable task) {
    scheduler.schedule(task, nanos);
  }

  @Override
  public void close() {
    scheduler.close();
  }

  private <T> CompletionStage<Outcome<T>> inTurn(
      String key, Function<Lane, CompletableFuture<Outcome<T>>> task) {
    CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    Lane lane;
    CompletableFuture<?> before;
    mutex.lock();
    try {
      lane = lanes.computeIfAbsent(key, absent -> new Lane());
      before = lane.last;
      lane.last = result;
      forgetSome();
    } finally {
      mutex.unlock();
    }
    Outcomes.whenKnown(before, end -> Outcomes.whenKnown(task.apply(lane), result::complete));
    return result;
  }

  /** Forgets the records that were not used for longest. */
  private void forgetSome() {
    if (lanes.size() > MOST_KNOWN) {
      lanes.values().removeIf(lane -> lanes.size() > MOST_KNOWN && lane.last.isDone());
    }
  }

  /** One step, until it has succeeded or is given up. */
  private final class Attempt<T> {

    private final String key;
    private final Lane lane;
    private final Courier courier;
    private final Decision.Step<T> step;
    private final CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    private final long begunNanos = environment.time().nanos();
    private int conflicts;

    Attempt(String key, Lane lane, Courier courier, Decision.Step<T> step) {
      this.key = key;
      this.lane = lane;
      this.courier = courier;
      this.step = step;
    }

    CompletableFuture<Outcome<T>> begin() {
      Reading known = lane.known;
      lane.known = null; // until this step knows better
      if (known == null) {
        read(FIRST_ENTRIES);
      } else {
        decide(known, false);
      }
      return result;
    }

    private void read(int entries) {
      long sent = clock.micros();
      Outcomes.whenKnown(
          courier.read(new ReadRequest(key, entries, own)),
          outcome -> {
            if (outcome instanceof Outcome.Answered<Reading> answered) {
              clock.read(key, answered.answer(), sent);
              decide(answered.answer(), true);
            } else {
              result.complete(Outcomes.failed(outcome));
            }
          });
    }

    private void decide(Reading reading, boolean isFresh) {
      try {
        Decision<T> decision = step.decide(reading);
        Change change = decision.change();
        if (change != null) {
          commit(reading, change, decision.answer());
        } else if (isFresh) {
          know(reading);
          result.complete(decision.answer());
        } else {
          read(FIRST_ENTRIES);
        }
      } catch (NeedsMore more) {
        read(ReadRequest.ALL);
      } catch (ForeignRecordException foreign) {
        result.complete(Outcomes.foreign(foreign));
      } catch (RuntimeException broken) {
        result.complete(Outcome.unknown(broken));
      }
    }

    private void commit(Reading reading, Change change, Outcome<T> answer) {
      long sent = clock.micros();
      Outcomes.whenKnown(
          courier.commit(change),
          outcome -> {
            if (!(outcome instanceof Outcome.Answered<CommitAnswer> answered)) {
              result.complete(Outcomes.failed(outcome));
            } else if (answered.answer() instanceof CommitAnswer.Committed done) {
              clock.made(change, done.version(), sent);
              if (reading.isComplete()) {
                know(reading.after(change, done.version()));
              }
              result.complete(answer);
            } else if (answered.answer() instanceof CommitAnswer.Conflict conflict) {
              again(conflict.found(), sent);
            }
          });
    }

    private void know(Reading reading) {
      lane.known = reading.isComplete() ? reading : null;
    }

    /** Decides again on what is there now: at once if this is the first time. */
    private void again(@Nullable Reading found, long sent) {
      conflicts++;
      if (environment.time().nanos() - begunNanos > patienceNanos) {
        result.complete(
            Outcome.unknown(new TimeoutException(conflicts + " others were faster at " + key)));
      } else if (conflicts > 1) {
        long most = FIRST_PAUSE_NANOS << Math.min(conflicts, MOST_DOUBLINGS);
        later(environment.random().nextLong(most), () -> read(FIRST_ENTRIES));
      } else if (found != null) {
        clock.read(key, found, sent);
        decide(found, true);
      } else {
        read(FIRST_ENTRIES);
      }
    }
  }
}

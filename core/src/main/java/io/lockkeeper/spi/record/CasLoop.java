package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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
 * that succeeds proves that to be current, since no version comes again. If it was a page, what
 * that does not show is read when it is needed. A decision to change nothing proves nothing, so it
 * counts only on a reading that was asked for after the step began. If a change of this client
 * whose outcome is unknown may still be made then, the record is written as it is: that gives it
 * another version, and so nothing comes after the answer that was sent before it.
 *
 * <p>A step that only makes a record may do so without knowing which absence it is, if the store
 * can. It is decided anew when the version is known that it gave: then it is as if it had been
 * decided on the version before.
 *
 * <p>Operations on a resource that wait for their turn are carried out together, as one step. So a
 * commit that takes long has more of them done by the next one, and not more commits.
 *
 * <p>On a conflict a step waits, longer each time and by chance; one that has not succeeded when
 * its time is over is unknown. Its time counts against what it asks for: a client measures its
 * lease from when it asked, and each decision is made at the time of the store then.
 *
 * <p>This file is long because the turns on a record and the attempts of a step share what is known
 * of it.
 */
final class CasLoop implements AutoCloseable {

  /** Of how many records is remembered what they were. */
  private static final int MOST_KNOWN = 1_000;

  /** The same, of records of which it is not known whether a change will still be made. */
  private static final int MOST_IN_DOUBT = 10 * MOST_KNOWN;

  /** How many entries of a queue are read at first: a batch, and who stands behind it. */
  private static final int FIRST_ENTRIES = 2 * Store.MAX_BATCH;

  private static final long FIRST_PAUSE_NANOS = 500_000;
  private static final int MOST_DOUBLINGS = 7;

  /**
   * A change whose outcome is unknown.
   *
   * @param version the version that it expects
   * @param isOfAbsence whether there was no record then: absences with later versions may do too
   */
  private record Doubt(long version, boolean isOfAbsence) {

    boolean isPossibleOn(Reading reading) {
      return version == Change.ANY_ABSENCE
          || (reading.head() == null ? isOfAbsence : reading.version() == version);
    }
  }

  /** One record, as this client knows it: who is at work on it, and what it was. */
  private static final class Lane {
    private CompletableFuture<?> last = CompletableFuture.completedFuture(true);
    private volatile @Nullable Reading known;

    /** The latest change that may still be made. */
    private volatile @Nullable Doubt doubt;

    /** Returns whether a change may still be made, given what was read a moment ago. */
    private boolean isInDoubt(Reading reading) {
      Doubt latest = doubt;
      if (latest != null && !latest.isPossibleOn(reading)) {
        doubt = null;
      }
      return doubt != null;
    }

    /** The last in line, if other operations may still join it. */
    private @Nullable JointTurn open;
  }

  private final Environment environment;
  private final Scheduler scheduler;
  private final long timeoutNanos;
  private final String own;
  private final RecordClock clock;
  private final boolean makesOnAnyAbsence;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<String, Lane> lanes = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates it.
   *
   * @param own how the names of this client's entries begin
   * @param timeoutNanos how long conflicts may keep a step from succeeding
   * @param clock records changes
   * @param makesOnAnyAbsence whether the store does
   */
  CasLoop(
      Environment environment,
      String own,
      long timeoutNanos,
      RecordClock clock,
      boolean makesOnAnyAbsence) {
    this.environment = environment;
    this.scheduler = environment.schedulers().get();
    this.own = own;
    this.clock = clock;
    this.makesOnAnyAbsence = makesOnAnyAbsence;
    this.timeoutNanos = timeoutNanos;
  }

  /** Takes a step on a record, when its turn has come. */
  <T> CompletionStage<Outcome<T>> take(String key, Courier courier, Decision.Step<T> step) {
    return inTurn(key, lane -> new Attempt<>(key, lane, courier, step).begin());
  }

  /** Does something later, unless this has been closed. */
  void later(long nanos, Runnable task) {
    scheduler.schedule(task, nanos);
  }

  /** Begins nothing later. */
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
      lane = lane(key);
      lane.open = null;
      before = lane.last;
      lane.last = result;
    } finally {
      mutex.unlock();
    }
    Outcomes.whenKnown(before, end -> Outcomes.whenKnown(task.apply(lane), result::complete));
    return result;
  }

  /**
   * Carries out an operation when its turn has come, together with others of the kind.
   *
   * @param queues whether the operation may put a claim into the queue
   * @param stepOf the step that carries out an operation on the record
   */
  <T> CompletionStage<Outcome<T>> takeJointly(
      String key,
      Courier courier,
      boolean queues,
      ResourceSteps.Operation<T> operation,
      Function<JointOperation, Decision.Step<Done>> stepOf) {
    CompletionStage<Outcome<T>> result;
    JointTurn turn;
    CompletableFuture<?> before;
    mutex.lock();
    try {
      Lane lane = lane(key);
      JointTurn open = lane.open;
      if (open != null && open.operations.hasRoomFor(queues)) {
        return open.operations.add(operation, queues);
      }
      JointOperation operations = new JointOperation();
      result = operations.add(operation, queues);
      turn =
          new JointTurn(
              lane, operations, new Attempt<>(key, lane, courier, stepOf.apply(operations)));
      before = lane.last;
      lane.last = turn.end;
      lane.open = turn;
    } finally {
      mutex.unlock();
    }
    Outcomes.whenKnown(before, end -> turn.begin());
    return result;
  }

  /** A place in line at a record, for operations that are carried out together. */
  private final class JointTurn {

    private final Lane lane;
    private final JointOperation operations;
    private final Attempt<Done> attempt;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    JointTurn(Lane lane, JointOperation operations, Attempt<Done> attempt) {
      this.lane = lane;
      this.operations = operations;
      this.attempt = attempt;
    }

    /** Begins it: nothing joins it after that. */
    void begin() {
      mutex.lock();
      try {
        if (lane.open == this) {
          lane.open = null;
        }
      } finally {
        mutex.unlock();
      }
      Outcomes.whenKnown(attempt.begin(), this::end);
    }

    private void end(Outcome<Done> outcome) {
      operations.end(outcome); // a later request joins the next turn
      end.complete(true);
    }
  }

  private Lane lane(String key) {
    forgetSome();
    return lanes.computeIfAbsent(key, absent -> new Lane());
  }

  /** Forgets the records that were not used for longest. */
  private void forgetSome() {
    if (lanes.size() >= MOST_KNOWN) {
      lanes
          .values()
          .removeIf(
              lane ->
                  lane.last.isDone()
                      && lanes.size() >= (lane.doubt == null ? MOST_KNOWN : MOST_IN_DOUBT));
    }
  }

  /** One step, until it has succeeded or is given up. */
  private final class Attempt<T> {

    private final String key;
    private final Lane lane;
    private final Courier courier;
    private final Decision.Step<T> step;
    private final CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    private long begunNanos;
    private int conflicts;

    Attempt(String key, Lane lane, Courier courier, Decision.Step<T> step) {
      this.key = key;
      this.lane = lane;
      this.courier = courier;
      this.step = step;
    }

    CompletableFuture<Outcome<T>> begin() {
      guarded(
          () -> {
            begunNanos = environment.time().nanos();
            Reading known = lane.known;
            lane.known = null; // until this step knows better
            if (known != null) {
              decide(known, false);
            } else if (!create()) {
              read();
            }
          });
      return result;
    }

    /** Does a part of it. Whatever that throws ends it: the next in line wait for the end. */
    private void guarded(Runnable part) {
      try {
        part.run();
      } catch (Throwable broken) {
        result.complete(Outcome.unknown(broken));
      }
    }

    private void read() {
      read(firstEntries());
    }

    /** Returns what is needed of the record at first: a long one is not read as a whole. */
    private ReadRequest firstEntries() {
      return new ReadRequest(key, FIRST_ENTRIES, own);
    }

    private void read(ReadRequest request) {
      long sent = clock.sentMicros();
      Outcomes.whenKnown(courier.read(request), outcome -> guarded(() -> haveRead(outcome, sent)));
    }

    private void haveRead(Outcome<Reading> outcome, long sent) {
      if (outcome instanceof Outcome.Answered<Reading> answered) {
        clock.read(key, answered.answer(), sent);
        decide(answered.answer(), true);
      } else {
        result.complete(Outcomes.failed(outcome));
      }
    }

    /** Makes the record on any absence, if that is what the step does. */
    private boolean create() {
      Decision<T> decision = makesOnAnyAbsence ? onAbsence(Change.ANY_ABSENCE) : null;
      if (decision == null) {
        return false;
      }
      Change change = decision.change();
      if (change == null || !change.isCreation()) {
        return false;
      }
      commit(Reading.absent(Change.ANY_ABSENCE), change, decision.answer());
      return true;
    }

    private @Nullable Decision<T> onAbsence(long version) {
      try {
        return step.knowsAnyAbsence() ? step.decide(Reading.absent(version)) : null;
      } catch (NeedsMore more) {
        return null;
      }
    }

    private void decide(Reading reading, boolean isFresh) {
      if (reading.head() == null && create()) {
        return;
      }
      try {
        Decision<T> decision = step.decide(reading);
        Change change = decision.change();
        boolean isInDoubt = isFresh && lane.isInDoubt(reading);
        if (change != null && (decision.isNeeded() || isInDoubt)) {
          commit(reading, change, decision.answer());
        } else if (isFresh) {
          lane.known = reading;
          result.complete(decision.answer());
        } else {
          read();
        }
      } catch (NeedsMore more) {
        read(isFresh ? ReadRequest.all(key) : firstEntries());
      } catch (ForeignRecordException foreign) {
        result.complete(Outcomes.foreign(foreign));
      }
    }

    private void commit(Reading reading, Change change, Outcome<T> answer) {
      long sent = clock.sentMicros();
      Doubt before = lane.doubt;
      lane.doubt = new Doubt(reading.version(), reading.head() == null);
      Outcomes.whenKnown(
          courier.commit(change.orElse(firstEntries())),
          outcome -> {
            if (!(outcome instanceof Outcome.Unknown)) {
              lane.doubt = before;
            }
            guarded(() -> haveCommitted(outcome, reading, change, answer, sent));
          });
    }

    private void haveCommitted(
        Outcome<CommitAnswer> outcome,
        Reading reading,
        Change change,
        Outcome<T> answer,
        long sent) {
      if (!(outcome instanceof Outcome.Answered<CommitAnswer> answered)) {
        result.complete(Outcomes.failed(outcome));
      } else if (answered.answer() instanceof CommitAnswer.Committed done) {
        lane.doubt = null;
        if (change.expected() == Change.ANY_ABSENCE) {
          haveCreated(done.version(), sent);
        } else {
          haveChanged(reading, change, done.version(), sent);
          result.complete(answer);
        }
      } else if (answered.answer() instanceof CommitAnswer.Conflict conflict) {
        again(conflict.found(), sent);
      }
    }

    private void haveCreated(long version, long sent) {
      Reading before = Reading.absent(version - 1);
      Decision<T> decision = Objects.requireNonNull(onAbsence(before.version()));
      haveChanged(before, Objects.requireNonNull(decision.change()), version, sent);
      result.complete(decision.answer());
    }

    private void haveChanged(Reading before, Change change, long version, long sent) {
      clock.made(change, version, sent);
      lane.known = before.after(change, version);
    }

    /** Decides again on what is there now: at once if this is the first time. */
    private void again(@Nullable Reading found, long sent) {
      conflicts++;
      if (environment.time().nanos() - begunNanos > timeoutNanos) {
        result.complete(
            Outcome.unknown(new TimeoutException(conflicts + " others were faster at " + key)));
      } else if (conflicts > 1) {
        long most = FIRST_PAUSE_NANOS << Math.min(conflicts, MOST_DOUBLINGS);
        later(environment.random().nextLong(most), () -> guarded(this::read));
      } else if (found != null) {
        clock.read(key, found, sent);
        decide(found, true);
      } else {
        read();
      }
    }
  }
}

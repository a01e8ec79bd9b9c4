package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.record.JointOperation.Use;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
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
 * <p>Where the store appends, entries may have come that are not in what this client last knew. So
 * a claim reads first, unless it sees that others wait. A step that has appended decides again on
 * the record that the answer shows. If a commit counts entries that this client has not read, the
 * client reads them, unless no claim can be admitted.
 *
 * <p>Where the store is ordered, a reading proves that nothing comes any more that was sent before,
 * and a claim leaves behind a deletion at once: most likely there is no record then.
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

  private static final Outcome<Done> DONE = Outcome.answered(Done.DONE);

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

    /** How many are in line; guarded by the mutex. */
    private int turns;

    /** The second in line, if it asks for something, until it has begun; guarded by the mutex. */
    private @Nullable JointTurn second;

    /** Says if the first in line has sent the deletion of the record, and has no answer yet. */
    private volatile boolean isDeleting;
  }

  private final Environment environment;
  private final Scheduler scheduler;
  private final long timeoutNanos;
  private final String own;
  private final RecordClock clock;
  private final RecordStore port;
  private volatile Presence presence = Presence.ALWAYS;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<String, Lane> lanes = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates it.
   *
   * @param own how the names of this client's entries begin
   * @param timeoutNanos how long conflicts may keep a step from succeeding
   * @param port the store, for what it can do
   */
  CasLoop(
      Environment environment, String own, long timeoutNanos, RecordStore port, RecordClock clock) {
    this.environment = environment;
    this.scheduler = environment.schedulers().get();
    this.own = own;
    this.clock = clock;
    this.port = port;
    this.timeoutNanos = timeoutNanos;
  }

  /** Sets the record of this client, which steps may demand. Called before the first such. */
  void demand(Presence ofClient) {
    presence = ofClient;
  }

  /** Takes a step on a record, when its turn has come. */
  <T> CompletionStage<Outcome<T>> take(
      String key, Courier courier, Use use, Decision.Step<T> step) {
    return inTurn(key, lane -> new Attempt<>(key, lane, courier, step, () -> use).begin());
  }

  /**
   * Reads a record before that is needed, when its turn has come and if nothing is known of it.
   *
   * @param seen receives the record
   */
  void learn(String key, Courier courier, boolean all, Consumer<Reading> seen) {
    ReadRequest request = all ? ReadRequest.all(key) : new ReadRequest(key, FIRST_ENTRIES, own);
    var unused = inTurn(key, lane -> learn(lane, courier, request.forChange(), seen));
  }

  private CompletableFuture<Outcome<Done>> learn(
      Lane lane, Courier courier, ReadRequest request, Consumer<Reading> seen) {
    Reading known = lane.known;
    if (known != null && known.isComplete()) {
      seen.accept(known);
      return CompletableFuture.completedFuture(DONE);
    }
    CompletableFuture<Outcome<Done>> end = new CompletableFuture<>();
    Outcomes.whenKnown(
        courier.read(request),
        outcome -> {
          try {
            if (outcome instanceof Outcome.Answered<Reading> answered) {
              lane.known = answered.answer();
              seen.accept(answered.answer());
            }
          } finally {
            end.complete(DONE); // the next in line wait for it
          }
        });
    return end;
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
      lane.turns++;
      before = lane.last;
      lane.last = result;
    } finally {
      mutex.unlock();
    }
    Outcomes.whenKnown(
        before,
        end ->
            Outcomes.whenKnown(
                task.apply(lane),
                outcome -> {
                  ended(lane);
                  result.complete(outcome);
                }));
    return result;
  }

  private void ended(Lane lane) {
    mutex.lock();
    try {
      lane.turns--;
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Carries out an operation when its turn has come, together with others of the kind.
   *
   * @param use the use that the operation makes of the resource
   * @param stepOf the step that carries out an operation on the record
   */
  <T> CompletionStage<Outcome<T>> takeJointly(
      String key,
      Courier courier,
      Use use,
      ResourceSteps.Operation<T> operation,
      Function<JointOperation, Decision.Step<Done>> stepOf) {
    CompletionStage<Outcome<T>> result;
    JointTurn turn;
    boolean isFollowing;
    CompletableFuture<?> before;
    mutex.lock();
    try {
      Lane lane = lane(key);
      JointTurn open = lane.open;
      if (open != null && open.operations.hasRoomFor(use, port.appends())) {
        return open.operations.add(operation, use);
      }
      JointOperation operations = new JointOperation();
      result = operations.add(operation, use);
      turn =
          new JointTurn(
              lane,
              operations,
              lane.last,
              new Attempt<>(key, lane, courier, stepOf.apply(operations), operations::use));
      boolean isSecond = lane.turns == 1 && use.compareTo(Use.ASKS) >= 0;
      isFollowing = isSecond && lane.isDeleting;
      lane.second = isSecond && !isFollowing ? turn : lane.second;
      lane.turns++;
      before = lane.last;
      lane.last = turn.end;
      lane.open = turn;
    } finally {
      mutex.unlock();
    }
    if (isFollowing) {
      turn.follow();
    }
    Outcomes.whenKnown(before, end -> turn.begin());
    return result;
  }

  /** Begins what asks for something directly behind a deletion that has been sent. */
  private void followDeletion(Lane lane) {
    JointTurn second;
    mutex.lock();
    try {
      second = lane.second;
      lane.second = null;
    } finally {
      mutex.unlock();
    }
    if (second != null) {
      second.follow();
    }
  }

  /** A place in line at a record, for operations that are carried out together. */
  private final class JointTurn {

    private final Lane lane;
    private final JointOperation operations;
    private final CompletableFuture<?> before;
    private final Attempt<Done> attempt;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private boolean hasBegun;

    JointTurn(
        Lane lane, JointOperation operations, CompletableFuture<?> before, Attempt<Done> attempt) {
      this.lane = lane;
      this.operations = operations;
      this.before = before;
      this.attempt = attempt;
    }

    /** Begins it, unless it has: nothing joins it after that. */
    void begin() {
      if (close()) {
        Outcomes.whenKnown(attempt.begin(), this::end);
      }
    }

    /** Begins it before the one before has ended. */
    void follow() {
      if (close()) {
        Outcomes.whenKnown(attempt.follow(before), this::end);
      }
    }

    private boolean close() {
      mutex.lock();
      try {
        if (lane.second == this) {
          lane.second = null;
        }
        boolean isFirst = !hasBegun;
        hasBegun = true;
        if (lane.open == this) {
          lane.open = null;
        }
        return isFirst;
      } finally {
        mutex.unlock();
      }
    }

    private void end(Outcome<Done> outcome) {
      ended(lane);
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

  /** How well a reading that a step decides on is known to be there. */
  private enum Age {
    /** It was, when this client last had an answer about it. */
    KNOWN,
    /** It was, when the step began or later, or it is older if the store is behind. */
    SEEN,
    /** It was, when the step began or later. */
    CURRENT
  }

  /** One step, until it has succeeded or is given up. */
  private final class Attempt<T> {

    private final String key;
    private final Lane lane;
    private final Courier courier;
    private final Decision.Step<T> step;
    private final Supplier<Use> use;
    private final CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
    private long begunNanos;
    private int conflicts;
    private boolean hasAppended;

    /** Says if something was to be appended, and there was no record, or none of this client. */
    private boolean hasAppendedInVain;

    /** Says if the step has needed more than the first entries. */
    private boolean needsMore;

    /** Says if the step has decided to change nothing, which only a current reading confirms. */
    private boolean looksOnly;

    Attempt(String key, Lane lane, Courier courier, Decision.Step<T> step, Supplier<Use> use) {
      this.key = key;
      this.lane = lane;
      this.courier = courier;
      this.step = step;
      this.use = use;
    }

    CompletableFuture<Outcome<T>> begin() {
      guarded(this::beginWhenPresent);
      return result;
    }

    private void beginWhenPresent() {
      if (step.demandsPresence()) {
        when(presence.ready(), this::beginOnKnown);
      } else {
        beginOnKnown();
      }
    }

    /** Goes on when this client's record is there. */
    private void when(CompletionStage<Outcome<Boolean>> present, Runnable part) {
      Outcomes.whenKnown(
          present,
          outcome -> {
            if (outcome instanceof Outcome.Answered) {
              guarded(part);
            } else {
              result.complete(Outcomes.failed(outcome));
            }
          });
    }

    private void beginOnKnown() {
      begunNanos = environment.time().nanos();
      Reading known = lane.known;
      lane.known = null; // until this step knows better
      if (known != null) {
        decide(known, Age.KNOWN);
      } else if (!create(null)) {
        read();
      }
    }

    /**
     * Makes the record behind a deletion that is under way. If it is there all the same, this
     * begins when the one before has ended.
     */
    CompletableFuture<Outcome<T>> follow(CompletableFuture<?> before) {
      guarded(
          () -> {
            begunNanos = environment.time().nanos();
            boolean isPresent = !step.demandsPresence() || presence.isReady();
            if (!isPresent || !create(before)) {
              beginBehind(before);
            }
          });
      return result;
    }

    private void beginBehind(CompletableFuture<?> before) {
      Outcomes.whenKnown(before, end -> guarded(this::beginWhenPresent));
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
      boolean isForChange = port.isOrdered() && use.get() != Use.LOOKS && !looksOnly;
      read(isForChange ? firstEntries().forChange() : firstEntries());
    }

    /** Returns what is needed of the record at first: a long one is not read as a whole. */
    private ReadRequest firstEntries() {
      return needsMore || step.needsAll()
          ? ReadRequest.all(key)
          : new ReadRequest(key, FIRST_ENTRIES, own);
    }

    private void read(ReadRequest request) {
      long sent = clock.sentMicros();
      ReadRequest asked = step.isWatching() ? request.watched() : request;
      Outcomes.whenKnown(
          courier.read(asked),
          outcome ->
              guarded(() -> haveRead(outcome, sent, asked.isCurrent() ? Age.CURRENT : Age.SEEN)));
    }

    private void haveRead(Outcome<Reading> outcome, long sent, Age age) {
      if (outcome instanceof Outcome.Answered<Reading> answered) {
        if (age == Age.CURRENT) { // an older one may lack changes that were made before it was sent
          clock.read(key, answered.answer(), sent);
        }
        decide(answered.answer(), age);
      } else {
        result.complete(Outcomes.failed(outcome));
      }
    }

    /**
     * Makes the record on any absence, if that is what the step does.
     *
     * @param before the step that is deleting it, or null
     */
    private boolean create(@Nullable CompletableFuture<?> before) {
      Decision<T> decision = port.makesOnAnyAbsence() ? onAbsence(Change.ANY_ABSENCE) : null;
      if (decision == null) {
        return false;
      }
      Change change = decision.change();
      if (change == null || !change.isCreation()) {
        return false;
      }
      commit(Reading.absent(Change.ANY_ABSENCE), change, decision, before);
      return true;
    }

    private @Nullable Decision<T> onAbsence(long version) {
      try {
        return step.knowsAnyAbsence() ? step.decide(Reading.absent(version)) : null;
      } catch (NeedsMore more) {
        return null;
      }
    }

    private void decide(Reading reading, Age age) {
      if (reading.head() == null && create(null)) {
        return;
      }
      try {
        Decision<T> decision = step.decide(reading);
        Change change = decision.change();
        boolean isInDoubt = age == Age.CURRENT && !port.isOrdered() && lane.isInDoubt(reading);
        boolean appends = decision.onlyAppends() || !step.needsAll();
        if (change != null && appends && mayAppend(decision)) {
          List<Message> messages = decision.onlyAppends() ? change.messages() : List.of();
          append(decision.appended(), messages, change.demanded());
        } else if (change != null && (decision.isNeeded() || isInDoubt)) {
          if (age == Age.KNOWN && mayHaveMissedOthers(reading)) {
            read();
          } else {
            commit(reading, change, decision, null);
          }
        } else if (age == Age.CURRENT) {
          lane.known = reading;
          result.complete(decision.answer());
        } else {
          looksOnly = true;
          read();
        }
      } catch (NeedsMore more) {
        needsMore |= age != Age.KNOWN || port.appends();
        read();
      } catch (ForeignRecordException foreign) {
        result.complete(Outcomes.foreign(foreign));
      }
    }

    private boolean mayAppend(Decision<T> decision) {
      return port.appends() && !hasAppended && !decision.appended().isEmpty();
    }

    /** Returns whether claims may wait that this client has not read. */
    private boolean mayHaveMissedOthers(Reading reading) {
      return port.appends()
          && use.get().compareTo(Use.ASKS) >= 0
          && reading.head() != null
          && reading.entries().stream().noneMatch(Entry::isBound);
    }

    /** Appends what waits before anything else is decided: its place is known then. */
    private void append(List<Entry> entries, List<Message> messages, @Nullable String demanded) {
      hasAppended = true;
      long sent = clock.sentMicros();
      Outcomes.whenKnown(
          courier.append(
              new Appending(key, entries, messages, firstEntries().forChange(), demanded)),
          outcome -> guarded(() -> haveAppended(outcome, sent)));
    }

    private void haveAppended(Outcome<Reading> outcome, long sent) {
      if (!(outcome instanceof Outcome.Answered<Reading> answered)) {
        result.complete(Outcomes.failed(outcome));
      } else if (answered.answer().head() == null) {
        // If this client has no record, that is said of a change only.
        hasAppended = step.demandsPresence() && hasAppendedInVain;
        hasAppendedInVain = true;
        again(null, sent);
      } else {
        clock.read(key, answered.answer(), sent);
        decide(answered.answer(), Age.CURRENT);
      }
    }

    private void commit(
        Reading reading,
        Change change,
        Decision<T> decision,
        @Nullable CompletableFuture<?> before) {
      long sent = clock.sentMicros();
      Doubt doubtBefore = lane.doubt;
      lane.doubt = new Doubt(reading.version(), reading.head() == null);
      lane.isDeleting = port.isOrdered() && change.head() == null && conflicts == 0;
      Outcomes.whenKnown(
          courier.commit(change.orElse(firstEntries())),
          outcome -> {
            if (change.head() == null) {
              lane.isDeleting = false;
            }
            if (!(outcome instanceof Outcome.Unknown)) {
              lane.doubt = doubtBefore;
            }
            guarded(() -> haveCommitted(outcome, reading, change, decision, sent, before));
          });
      if (lane.isDeleting) {
        followDeletion(lane);
      }
    }

    private void haveCommitted(
        Outcome<CommitAnswer> outcome,
        Reading reading,
        Change change,
        Decision<T> decision,
        long sent,
        @Nullable CompletableFuture<?> before) {
      if (!(outcome instanceof Outcome.Answered<CommitAnswer> answered)) {
        result.complete(Outcomes.failed(outcome));
      } else if (answered.answer() instanceof CommitAnswer.Committed done) {
        lane.doubt = null;
        if (change.expected() == Change.ANY_ABSENCE) {
          haveCreated(done.version(), sent);
        } else {
          boolean isMissing = haveChanged(reading, change, done, sent);
          Outcome<T> answer = step.placed(decision.answer(), done.placed());
          if (isMissing && step.tellsOfOthers()) {
            revise(answer);
          } else {
            result.complete(answer);
          }
          if (isMissing && !decision.isFull()) {
            lookAgain();
          }
        }
      } else if (answered.answer() instanceof CommitAnswer.Conflict conflict) {
        if (before == null) {
          again(conflict.found(), sent);
        } else {
          beginBehind(before);
        }
      } else if (before == null) {
        when(presence.restored(), () -> again(null, sent));
      } else {
        when(presence.restored(), () -> beginBehind(before));
      }
    }

    private void haveCreated(long version, long sent) {
      Reading before = Reading.absent(version - 1);
      Decision<T> decision = Objects.requireNonNull(onAbsence(before.version()));
      Change change = Objects.requireNonNull(decision.change());
      haveChanged(before, change, new CommitAnswer.Committed(version), sent);
      result.complete(decision.answer());
    }

    /** Records a change; returns whether the record has entries that were not seen. */
    private boolean haveChanged(
        Reading before, Change change, CommitAnswer.Committed done, long sent) {
      clock.made(change, done.version(), sent);
      Reading after = before.after(change, done.version(), done.placed());
      boolean isMissing = after.isComplete() && done.entries() > after.entries().size();
      lane.known = isMissing ? after.incomplete() : after;
      return isMissing;
    }

    /** Answers with what is there now: others have come that were not seen. */
    private void revise(Outcome<T> answer) {
      Outcomes.whenKnown(
          courier.read(ReadRequest.all(key).forChange()),
          outcome ->
              guarded(
                  () -> {
                    if (outcome instanceof Outcome.Answered<Reading> answered) {
                      lane.known = answered.answer();
                    }
                    result.complete(revised(answer));
                  }));
    }

    private Outcome<T> revised(Outcome<T> answer) {
      Reading after = lane.known;
      try {
        return after == null ? answer : step.revised(answer, after);
      } catch (NeedsMore more) {
        return answer;
      }
    }

    private void lookAgain() {
      Decision.Step<?> again = step.lookAgain();
      if (again != null) {
        var unused = take(key, courier, Use.ACTS, again);
      }
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
        decide(found, Age.CURRENT);
      } else {
        read();
      }
    }
  }
}

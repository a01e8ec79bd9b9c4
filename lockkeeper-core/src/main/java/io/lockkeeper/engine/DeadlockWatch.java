package io.lockkeeper.engine;

import io.lockkeeper.DeadlockException;
import io.lockkeeper.DeadlockMember;
import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.WaitBoard.Note;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads, of this client and of others, that wait for each other in a circle.
 *
 * <p>Each client notes on a board at the store, a cell, which of its threads hold something and
 * have waited for something else for a while: its suspects. Mostly there are none, and then there
 * is no board and no request. All who have suspects watch the board, and look for circles in it.
 *
 * <p>A circle is believed when it is still there after every client in it has looked at its threads
 * again: each of their waits has then lasted from before the first look at the whole circle until
 * after it, so at that moment they all waited and held at once. (A single look proves nothing: the
 * notes on the board were written at different times.)
 */
final class DeadlockWatch {

  static final CellId BOARD = new CellId(CellKind.NOTES, "waits");

  private static final Logger LOG = System.getLogger("io.lockkeeper");
  private static final long MIN_PAUSE_NANOS = 1_000_000;
  private static final long SOON_NANOS = 50_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
  private static final long CLOSE_MILLIS = 1_000;
  private static final int CLEANING_ATTEMPTS = 20;
  private static final int PAUSES_OF_THE_DEAD = 5;

  /** How long a believed circle is left alone, so that all in it come to believe it. */
  private static final long GRACE_NANOS = 150_000_000;

  private final Engine engine;
  private final Scheduler scheduler;
  private final EngineConfig config;
  private final long suspectNanos;

  /** Whether a look is planned or under way. */
  private final AtomicBoolean planned = new AtomicBoolean();

  /** The number of the look that is planned; an earlier one that was planned too is none. */
  private final AtomicLong plan = new AtomicLong();

  private final AtomicBoolean looking = new AtomicBoolean();

  /** Whether a look is wanted that came up while another was under way. */
  private volatile boolean hurry;

  private volatile boolean closed;

  // What follows is only touched by the look that is under way.

  /** How many batches and notes this client has written. */
  private long written;

  /** The end of the latest look that asked the store. */
  private volatile CompletableFuture<Boolean> underWay = CompletableFuture.completedFuture(true);

  private volatile List<Suspect> noted = List.of();
  private long notedNanos;

  /** The circles that are there, by their waits and holds. */
  private final Map<String, Circle> circles = new HashMap<>();

  /** When each client's note was first seen with its present number. */
  private final Map<String, long[]> seen = new HashMap<>();

  DeadlockWatch(Engine engine, Scheduler scheduler, EngineConfig config) {
    this.engine = engine;
    this.scheduler = scheduler;
    this.config = config;
    this.suspectNanos = config.deadlockCheck().toNanos();
  }

  /** A thread is about to wait. */
  void parking() {
    if (!planned.get() && planned.compareAndSet(false, true)) {
      later(suspectNanos);
    }
  }

  /** Another client has written on the board. */
  void notesChanged() {
    hurry = true; // for a look that is under way
    planned.set(true);
    if (!looking.get()) {
      later(0);
    }
  }

  /** Plans the next look, in place of any other. */
  private void later(long nanos) {
    long number = plan.incrementAndGet();
    if (!closed) {
      scheduler.schedule(
          () -> {
            if (plan.get() == number) {
              engine.execute(this::look);
            }
          },
          nanos);
    }
  }

  /** Takes what is noted off the board. */
  void close() {
    closed = true;
    if (noted.isEmpty() && !looking.get()) {
      return;
    }
    try {
      underWay
          .exceptionally(failed -> true)
          .thenCompose(over -> clean(CLEANING_ATTEMPTS))
          .toCompletableFuture()
          .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "the board of waits was not cleaned; it ends by itself", e);
    }
  }

  /** Takes this client's note off the board; tries again if another client writes meanwhile. */
  private CompletionStage<Boolean> clean(int attempts) {
    if (noted.isEmpty() || attempts == 0) {
      return CompletableFuture.completedFuture(true);
    }
    return read(false)
        .thenCompose(
            outcome ->
                withBoard(outcome, List.of())
                    .thenCompose(calm -> noted.isEmpty() ? done() : clean(attempts - 1)));
  }

  private static CompletionStage<Boolean> done() {
    return CompletableFuture.completedFuture(true);
  }

  // ------------------------------------------------------------- a look

  private void look() {
    if (!looking.compareAndSet(false, true)) {
      return; // that one plans the next
    }
    hurry = false;
    try {
      Survey survey = survey();
      if (survey.suspects.isEmpty() && noted.isEmpty()) {
        rest(survey);
      } else {
        ask(survey);
      }
    } catch (Throwable broken) { // an error too: there must be another look
      looked(null, broken, LONGEST_PAUSE_NANOS);
    }
  }

  private void ask(Survey survey) {
    CompletableFuture<Boolean> asking =
        limits(survey.suspects)
            .thenCompose(
                suspects ->
                    read(!suspects.isEmpty()).thenCompose(outcome -> withBoard(outcome, suspects)))
            .toCompletableFuture();
    underWay = asking;
    var unused = asking.whenComplete((calm, broken) -> looked(calm, broken, survey.dueInNanos));
  }

  /** Plans the next look. */
  private void looked(@Nullable Boolean calm, @Nullable Throwable broken, long dueInNanos) {
    if (broken != null) {
      engine.reportFailure("cannot look for deadlocks", broken);
    }
    looking.set(false);
    later(
        hurry || (broken == null && !Boolean.TRUE.equals(calm))
            ? engine.policy().jitter(SOON_NANOS)
            : Math.min(dueInNanos, LONGEST_PAUSE_NANOS));
  }

  /** Ends the looks if nobody waits; otherwise there will be one when somebody is suspected. */
  private void rest(Survey survey) {
    circles.clear();
    seen.clear();
    looking.set(false);
    if (survey.waits) {
      later(survey.dueInNanos);
      return;
    }
    planned.set(false);
    if (survey().waits) { // somebody came who found a look planned
      parking();
    }
  }

  private CompletionStage<List<Outcome<CellState>>> read(boolean watch) {
    return engine.store().read(List.of(new CellRead(BOARD, watch, 0)));
  }

  /** Looks for circles and notes the suspects; returns whether there is nothing to hurry about. */
  private CompletionStage<Boolean> withBoard(
      List<Outcome<CellState>> outcome, List<Suspect> suspects) {
    if (!(outcome.get(0) instanceof Outcome.Answered<CellState> answered)) {
      return CompletableFuture.completedFuture(true); // the store has other worries
    }
    CellState.Present present = answered.answer() instanceof CellState.Present found ? found : null;
    WaitBoard board = board(present);
    dropDead(board);
    long number = written + 1;
    board.notes().put(engine.clientId(), new Note(number, suspects));
    List<List<Suspect>> found =
        WaitGraph.circles(board.suspects()).stream().filter(this::isMine).toList();
    boolean confirms = judge(found, board, number);
    boolean dated = engine.now() - notedNanos >= suspectNanos;
    if (suspects.isEmpty()) {
      board.notes().remove(engine.clientId());
    }
    if (!confirms && !dated && isSame(suspects)) {
      return CompletableFuture.completedFuture(isCalm());
    }
    return write(board, present, number)
        .thenApply(
            done -> {
              if (done) {
                noted = suspects;
                notedNanos = engine.now();
              }
              return done && isCalm();
            });
  }

  private boolean isMine(List<Suspect> circle) {
    return circle.stream().anyMatch(member -> member.client().equals(engine.clientId()));
  }

  private boolean isSame(List<Suspect> suspects) {
    if (suspects.size() != noted.size()) {
      return false;
    }
    for (int i = 0; i < suspects.size(); i++) {
      if (!suspects.get(i).isSameAs(noted.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static WaitBoard board(CellState.@Nullable Present present) {
    if (present == null) {
      return new WaitBoard();
    }
    try {
      return WaitBoard.read(present.value());
    } catch (IllegalArgumentException malformed) {
      LOG.log(Level.WARNING, "the board of waits is begun anew", malformed);
      return new WaitBoard();
    }
  }

  /** Takes the notes of clients off the board that have not looked for a long time. */
  private void dropDead(WaitBoard board) {
    long now = engine.now();
    seen.keySet().retainAll(board.notes().keySet());
    board
        .notes()
        .entrySet()
        .removeIf(
            entry -> {
              long number = entry.getValue().number();
              long[] first = seen.computeIfAbsent(entry.getKey(), c -> new long[] {number, now});
              if (first[0] != number) {
                first[0] = number;
                first[1] = now;
              }
              return now - first[1]
                  > PAUSES_OF_THE_DEAD * Math.max(suspectNanos, LONGEST_PAUSE_NANOS);
            });
  }

  private CompletionStage<Boolean> write(
      WaitBoard board, CellState.@Nullable Present present, long number) {
    written = number;
    long ttl = PAUSES_OF_THE_DEAD * Math.max(suspectNanos, LONGEST_PAUSE_NANOS) / 1_000_000;
    CellChange change;
    if (present == null) {
      if (board.notes().isEmpty()) {
        return CompletableFuture.completedFuture(true);
      }
      change = new CellChange.Create(board.write(), ttl);
    } else {
      change = new CellChange.Replace(present.version(), board.write(), ttl);
    }
    List<CellChange> changes = new ArrayList<>(List.of(change));
    if (board.notes().isEmpty()) {
      changes.add(new CellChange.Delete());
    }
    return engine
        .store()
        .update(new CellUpdate(BOARD, number, changes, ttl))
        .thenApply(DeadlockWatch::isDone);
  }

  private static boolean isDone(Outcome<CellUpdated> outcome) {
    return outcome instanceof Outcome.Answered<CellUpdated> answered
        && answered.answer().results().get(0).verdict() == CellResult.Verdict.DONE;
  }

  // ------------------------------------------------------------- judgement

  /** A circle, from the look at which it was seen first until it is there no more. */
  private static final class Circle {

    /** The number of each client's note when it was first seen. */
    final Map<String, Long> firstNumbers;

    boolean believed;
    long believedNanos;
    boolean settled;

    Circle(Map<String, Long> firstNumbers) {
      this.firstNumbers = firstNumbers;
    }

    /** Returns whether each client has looked again since. */
    boolean isConfirmed(WaitBoard board) {
      return firstNumbers.entrySet().stream()
          .allMatch(
              entry -> {
                Note note = board.notes().get(entry.getKey());
                return note != null && note.number() > entry.getValue();
              });
    }
  }

  private boolean isCalm() {
    return circles.values().stream().allMatch(circle -> circle.settled);
  }

  /** Takes the circles a step on; returns whether one of them needs a new note of this client. */
  private boolean judge(List<List<Suspect>> found, WaitBoard board, long number) {
    Set<String> present = new HashSet<>();
    boolean confirms = false;
    for (List<Suspect> members : found) {
      String key = key(members);
      present.add(key);
      Circle circle =
          circles.computeIfAbsent(key, k -> new Circle(numbers(members, board, number)));
      confirms |= !circle.believed; // also at the look that believes it: others may need this note
      if (!circle.believed && circle.isConfirmed(board)) {
        circle.believed = true;
        circle.believedNanos = engine.now();
        tell(members);
      } else if (circle.believed
          && !circle.settled
          && engine.now() - circle.believedNanos >= GRACE_NANOS) {
        circle.settled = true;
        end(members);
      }
    }
    circles.keySet().retainAll(present);
    return confirms;
  }

  private static String key(List<Suspect> circle) {
    return circle.stream()
        .map(member -> member.key() + member.holds())
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static Map<String, Long> numbers(List<Suspect> circle, WaitBoard board, long number) {
    Map<String, Long> numbers = new HashMap<>();
    for (Suspect member : circle) {
      Note note = board.notes().get(member.client());
      numbers.put(member.client(), note == null ? number : note.number());
    }
    return numbers;
  }

  /** Tells of each wait of this client, except the one that it is about to end. */
  private void tell(List<Suspect> circle) {
    Suspect victim = victim(circle);
    for (Suspect member : mine(circle)) {
      if (!member.equals(victim)) {
        publish(member, circle, false);
      }
    }
  }

  /** Ends the youngest of the waits that may be ended, if it is one of this client. */
  private void end(List<Suspect> circle) {
    Suspect victim = victim(circle);
    for (Suspect member : mine(circle)) {
      if (member.equals(victim)) {
        publish(member, circle, end(member, cycle(circle)));
      }
    }
  }

  private static @Nullable Suspect victim(List<Suspect> circle) {
    return circle.stream()
        .filter(Suspect::breaks)
        .max(Comparator.comparing(Suspect::arrival).thenComparing(Suspect::key))
        .orElse(null);
  }

  private List<Suspect> mine(List<Suspect> circle) {
    return circle.stream().filter(member -> member.client().equals(engine.clientId())).toList();
  }

  private static List<DeadlockMember> cycle(List<Suspect> circle) {
    return circle.stream().map(Suspect::member).toList();
  }

  private void publish(Suspect member, List<Suspect> circle, boolean broken) {
    List<DeadlockMember> cycle = cycle(circle);
    if (engine.events().hasListeners()) {
      String name = ResourceKind.nameOf(member.resource());
      engine.events().publish(new LockEvent.Deadlock(name, cycle, broken));
    } else if (!broken) {
      LOG.log(Level.WARNING, () -> message("deadlock", cycle));
    }
  }

  private static String message(String head, List<DeadlockMember> cycle) {
    return head + cycle.stream().map(m -> "\n  " + m).collect(Collectors.joining());
  }

  private boolean end(Suspect member, List<DeadlockMember> cycle) {
    String name = ResourceKind.nameOf(member.resource());
    Gate gate = engine.existingGate(member.resource());
    Waiter waiter = gate == null ? null : waiter(gate, member);
    return gate != null
        && waiter != null
        && gate.refuse(
            waiter,
            new DeadlockException(
                message("'" + name + "' cannot be had: each of these threads waits", cycle),
                cycle));
  }

  private static @Nullable Waiter waiter(Gate gate, Suspect member) {
    List<Waiter> found = new ArrayList<>();
    gate.visitWaiters(
        waiter -> waiter.threadId() == member.thread() && waiter.startNanos == member.waitNumber(),
        found::add);
    return found.isEmpty() ? null : found.get(0);
  }

  // ------------------------------------------------------------- suspects

  /**
   * What was found among this client's threads.
   *
   * @param suspects those that hold something and have waited long enough
   * @param waits whether any thread waits
   * @param dueInNanos how soon the next thread will have waited long enough
   */
  private record Survey(List<Suspect> suspects, boolean waits, long dueInNanos) {}

  private Survey survey() {
    Map<Thread, List<Suspect.Held>> holds = new HashMap<>();
    boolean waits = false;
    for (Gate gate : engine.gates()) {
      gate.visitHolders(
          (thread, held) -> holds.computeIfAbsent(thread, t -> new ArrayList<>()).add(held));
      waits |= gate.isAwaited();
    }
    List<Suspect> suspects = new ArrayList<>();
    AtomicLong dueInNanos = new AtomicLong(suspectNanos);
    if (!holds.isEmpty() && waits) {
      for (Gate gate : engine.gates()) {
        gate.visitWaiters(
            waiter -> holds.containsKey(waiter.thread),
            waiter -> {
              long leftNanos = waiter.startNanos + suspectNanos - engine.now();
              List<Suspect.Held> held = holds.get(waiter.thread);
              if (held != null && leftNanos <= 0) {
                suspects.add(suspect(gate, waiter, held));
              } else {
                dueInNanos.accumulateAndGet(Math.max(MIN_PAUSE_NANOS, leftNanos), Math::min);
              }
            });
      }
    }
    suspects.sort(Comparator.comparing(Suspect::key));
    return new Survey(suspects, waits, dueInNanos.get());
  }

  private Suspect suspect(Gate gate, Waiter waiter, List<Suspect.Held> holds) {
    Thread thread = waiter.thread;
    holds.sort(Comparator.comparing(Suspect.Held::resource).thenComparing(Suspect.Held::token));
    return new Suspect(
        engine.clientId(),
        config.clientName(),
        config.breaksDeadlocks(),
        waiter.threadId(),
        thread == null ? "" : thread.getName(),
        waiter.startNanos,
        (engine.now() - waiter.startNanos) / 1_000_000,
        gate.arrivalOf(waiter),
        gate.resource,
        waiter.share.permits(),
        waiter.share.limit(),
        holds);
  }

  /** Asks the store for the present limits of the semaphores that are waited for. */
  private CompletionStage<List<Suspect>> limits(List<Suspect> suspects) {
    CompletionStage<List<Suspect>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (Suspect suspect : suspects) {
      boolean isSemaphore = ResourceKind.of(suspect.resource()) == ResourceKind.SEMAPHORE;
      CompletionStage<Suspect> checked =
          isSemaphore
              ? engine
                  .store()
                  .inspect(suspect.resource())
                  .thenApply(outcome -> suspect.withLimit(limit(outcome, suspect.limit())))
              : CompletableFuture.completedFuture(suspect);
      all =
          all.thenCombine(
              checked,
              (list, one) -> {
                list.add(one);
                return list;
              });
    }
    return all;
  }

  private static int limit(Outcome<Inspection> outcome, int otherwise) {
    return outcome instanceof Outcome.Answered<Inspection> answered
            && answered.answer().limit() != Inspection.UNSET
        ? answered.answer().limit()
        : otherwise;
  }
}

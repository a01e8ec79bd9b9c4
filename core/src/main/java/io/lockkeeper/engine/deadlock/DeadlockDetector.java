package io.lockkeeper.engine.deadlock;

import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.deadlock.WaitForBoard.Note;
import io.lockkeeper.engine.policy.ClientConfig;
import io.lockkeeper.engine.runtime.ClientRuntime;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Looks for deadlocks when there may be one.
 *
 * <p>Each client notes on a board at the store which of its threads hold something and have waited
 * for something else for a while: its suspects. Mostly there are none, and then there is no board
 * and no request. All who have suspects watch the board, and look for circles in it. {@link
 * CircleJudge} says when a circle is believed.
 */
public final class DeadlockDetector {

  private static final Logger LOG = System.getLogger("io.lockkeeper");
  private static final long SOON_NANOS = 50_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
  private static final long CLOSE_MILLIS = 1_000;
  private static final int CLEANING_ATTEMPTS = 20;
  private static final int PAUSES_OF_THE_ABSENT = 5;

  private final ClientRuntime runtime;
  private final boolean isOn;
  private final long suspectNanos;
  private final ThreadSurvey threads;
  private final PresentLimits limits;
  private final CircleBreaker breaker;

  /** Whether a look is planned or under way. */
  private final AtomicBoolean planned = new AtomicBoolean();

  /** The number of the last look that was planned; a planned look with another does nothing. */
  private final AtomicLong plan = new AtomicLong();

  private final AtomicBoolean looking = new AtomicBoolean();

  /** Whether a look is wanted that came up while another was under way. */
  private volatile boolean hurry;

  private volatile boolean closed;

  /** The end of the latest look that asked the store. */
  private volatile CompletableFuture<Boolean> underWay = CompletableFuture.completedFuture(true);

  // What follows is only touched by the look that is under way, and by the closing after it.

  private final WaitForBoardClient boardClient;
  private final AbsentClients absent;
  private final CircleJudge judge = new CircleJudge();

  /** Creates one that has nothing to look for yet. */
  public DeadlockDetector(ResourceCoordinators resources, ClientConfig config) {
    this.runtime = resources.runtime();
    this.isOn = config.detectsDeadlocks();
    this.suspectNanos = config.deadlockCheck().toNanos();
    long absentAfterNanos = PAUSES_OF_THE_ABSENT * Math.max(suspectNanos, LONGEST_PAUSE_NANOS);
    this.threads = new ThreadSurvey(resources, config.breaksDeadlocks(), suspectNanos);
    this.limits = new PresentLimits(runtime);
    this.breaker = new CircleBreaker(runtime, threads);
    this.boardClient = new WaitForBoardClient(runtime, absentAfterNanos / 1_000_000);
    this.absent = new AbsentClients(absentAfterNanos);
  }

  // ------------------------------------------------------------- the schedule

  /** Notes that a thread is about to wait. */
  public void beforeParking() {
    if (isOn && !planned.get() && planned.compareAndSet(false, true)) {
      later(suspectNanos);
    }
  }

  /** Notes that another client has written on the board. */
  public void boardChanged() {
    hurry = true; // for a look that is under way
    planned.set(true);
    if (!looking.get()) {
      later(0);
    }
  }

  /** Plans the next look, in place of any other. */
  private void later(long nanos) {
    long number = plan.incrementAndGet();
    if (closed) {
      return;
    }
    try {
      runtime
          .scheduler()
          .schedule(
              () -> {
                if (plan.get() == number) {
                  runtime.execute(this::look);
                }
              },
              nanos);
    } catch (Throwable failure) { // the next waiter plans it; this thread must go on to wait
      planned.set(false);
      runtime.reportFailure("no look for deadlocks could be planned", failure);
    }
  }

  /** Takes what is noted off the board. */
  public void close() {
    closed = true;
    if (!boardClient.hasNote() && !looking.get()) {
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
    if (!boardClient.hasNote() || attempts == 0) {
      return CompletableFuture.completedFuture(true);
    }
    return boardClient
        .read(false)
        .thenCompose(
            reading ->
                withBoard(reading, List.of())
                    .thenCompose(
                        calm ->
                            boardClient.hasNote()
                                ? clean(attempts - 1)
                                : CompletableFuture.completedFuture(true)));
  }

  // ------------------------------------------------------------- a look

  private void look() {
    if (!looking.compareAndSet(false, true)) {
      return; // that one plans the next
    }
    hurry = false;
    try {
      ThreadSurvey.Result found = threads.run();
      if (found.suspects().isEmpty() && !boardClient.hasNote()) {
        rest(found);
      } else {
        ask(found);
      }
    } catch (Throwable broken) { // an error too: there must be another look
      looked(null, broken, LONGEST_PAUSE_NANOS);
    }
  }

  private void ask(ThreadSurvey.Result found) {
    CompletableFuture<Boolean> asking =
        limits
            .of(found.suspects())
            .thenCompose(
                suspects ->
                    boardClient
                        .read(!suspects.isEmpty())
                        .thenCompose(reading -> withBoard(reading, suspects)))
            .toCompletableFuture();
    underWay = asking;
    var unused = asking.whenComplete((calm, broken) -> looked(calm, broken, found.dueInNanos()));
  }

  /** Plans the next look. */
  private void looked(@Nullable Boolean calm, @Nullable Throwable broken, long dueInNanos) {
    if (broken != null) {
      runtime.reportFailure("cannot look for deadlocks", broken);
    }
    looking.set(false);
    later(
        hurry || (broken == null && !Boolean.TRUE.equals(calm))
            ? runtime.policy().jitter(SOON_NANOS)
            : Math.min(dueInNanos, LONGEST_PAUSE_NANOS));
  }

  /** Ends the looks if nobody waits; otherwise there will be one when somebody is suspected. */
  private void rest(ThreadSurvey.Result found) {
    judge.clear();
    absent.clear();
    looking.set(false);
    if (found.waits()) {
      later(found.dueInNanos());
      return;
    }
    planned.set(false);
    if (threads.run().waits()) { // somebody came who found a look planned
      beforeParking();
    }
  }

  /** Looks for circles and notes the suspects; returns whether there is nothing to hurry about. */
  private CompletionStage<Boolean> withBoard(
      Optional<WaitForBoardClient.Reading> reading, List<Suspect> suspects) {
    if (reading.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    WaitForBoard board = reading.get().board();
    absent.removeFrom(board, runtime.now());
    long number = boardClient.nextNumber();
    board.notes().put(runtime.clientId(), new Note(number, judge.marked(suspects)));
    CircleJudge.Judgement judgement = judge.judge(circles(board), board, number, runtime.now());
    judgement.cases().forEach(each -> runtime.guarded("deadlocks", () -> breaker.act(each)));
    List<Suspect> marked = judge.marked(suspects); // also with what was told just now
    if (marked.isEmpty()) {
      board.notes().remove(runtime.clientId());
    } else {
      board.notes().put(runtime.clientId(), new Note(number, marked));
    }
    boolean isDated = boardClient.isNoteOlderThan(suspectNanos);
    if (!judgement.needsNote() && !isDated && boardClient.hasNoted(marked)) {
      return CompletableFuture.completedFuture(judge.isCalm());
    }
    return boardClient
        .write(reading.get(), number, marked)
        .thenApply(done -> done && judge.isCalm());
  }

  /** Returns the circles of which this client is a part. */
  private List<List<Suspect>> circles(WaitForBoard board) {
    return WaitGraph.circles(board.suspects()).stream()
        .filter(
            circle ->
                circle.stream().anyMatch(member -> member.client().equals(runtime.clientId())))
        .toList();
  }
}

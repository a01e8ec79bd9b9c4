package io.lockkeeper.lab.torture;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.lab.check.CheckSettings;
import io.lockkeeper.lab.check.HistoryChecker;
import io.lockkeeper.lab.check.RuleResult;
import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.check.Verdict;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.FileRecorder;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.torture.Workers.WorkerOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One round: faults for a while, then none for a while, so that it can be seen that all comes right
 * again; then everybody goes home, and the store must be empty.
 */
final class Round {

  private static final String COORDINATOR = "nemesis";
  private static final long PROGRESS_MILLIS = 500;

  /** How many times as long as for what is free one may wait for a turn. */
  private static final int TURN = 4;

  private static final Duration EMPTY_LIMIT = Duration.ofSeconds(30);

  /**
   * What came of it.
   *
   * @param verdict what the rules say
   * @param history what it is about
   * @param faults how many things were broken
   * @param problems what kept it from being judged as it should
   */
  record Outcome(Verdict verdict, History history, long faults, List<String> problems) {}

  private final Workers.Task task;
  private final List<Fault> faults;
  private final Duration faultTime;

  Round(Workers.Task task, List<Fault> faults, Duration faultTime) {
    this.task = task;
    this.faults = faults;
    this.faultTime = faultTime;
  }

  /** Returns how long the calm at the end of a round takes: long enough to look into it. */
  static Duration calmTime(StoreUnderTest stage, List<Fault> faults, Duration patience) {
    return faults.isEmpty() ? Duration.ZERO : stage.afterwards.plus(patience).plusMillis(500);
  }

  Outcome run() throws InterruptedException {
    long count;
    List<String> problems;
    Path file = History.file(task.folder(), COORDINATOR);
    awaitReady();
    try (FileRecorder recorder = new FileRecorder(file);
        StallWatch watch = new StallWatch(COORDINATOR, recorder);
        Workers crew = new Workers(task, recorder)) {
      // Faults before anybody has begun would only delay the beginning.
      Workers.await(EMPTY_LIMIT, () -> crew.acquisitions() > 0);
      Nemesis nemesis = new Nemesis(faults, crew, recorder, faultTime, task.seed());
      nemesis.run(System.nanoTime() + faultTime.toNanos());
      Duration calm = calmTime(task.stage(), faults, task.patience());
      TimeUnit.NANOSECONDS.sleep(calm.toNanos());
      recorder.record(Event.ofRun(System.nanoTime(), COORDINATOR, EventKind.END, ""));
      problems = crew.stop();
      watch.stop();
      count = nemesis.count();
    }
    History history = History.read(task.folder());
    RuleResult left = residue(history);
    Verdict verdict = HistoryChecker.check(history, settings()).with(List.of(left));
    return new Outcome(verdict, history, count, problems);
  }

  /** A server that was started a moment ago makes the first request of a namespace wait. */
  private void awaitReady() throws InterruptedException {
    if (task.subject().equals(WorkerOrder.OWN)) {
      try (Lockkeeper keeper =
          Lockkeeper.builder()
              .namespace(task.namespace())
              .lease(task.stage().lease)
              .connect(task.stage().url())) {
        keeper.lock("first").acquire().release();
      }
    }
  }

  private CheckSettings settings() {
    return CheckSettings.of(task.processes(), task.threads())
        .withRecovery(task.stage().afterwards, task.patience().multipliedBy(4).dividedBy(5))
        .withWaits(task.patience(), task.patience().multipliedBy(TURN));
  }

  /**
   * When all have gone home, the dead have been forgotten and the counters and latches are deleted,
   * nothing is held or waited for, and the store has nothing but what is documented.
   */
  private RuleResult residue(History history) throws InterruptedException {
    List<Violation> violations = new ArrayList<>();
    try (Lockkeeper keeper =
        Lockkeeper.builder().namespace(task.namespace()).connect(task.stage().url())) {
      deleteWhatStays(keeper, history);
      long deadline = System.nanoTime() + EMPTY_LIMIT.toNanos();
      List<String> left = look(keeper);
      while (!left.isEmpty() && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(PROGRESS_MILLIS);
        left = look(keeper);
      }
      left.forEach(it -> violations.add(new Violation("C4", "", it, List.of())));
    } catch (LockkeeperException | IllegalStateException e) {
      violations.add(new Violation("C4", "", noAnswer(e), List.of()));
    }
    return new RuleResult("C4", "nothing is left in the store", 1, violations);
  }

  private static void deleteWhatStays(Lockkeeper keeper, History history) {
    for (String id : history.resources()) {
      switch (ResourceType.of(id)) {
        case COUNTER -> keeper.counter(id).delete();
        case LATCH -> keeper.countDownLatch(id).delete();
        case SEMAPHORE -> keeper.semaphore(id, 1).resetPermits();
        case LOCK, FAIR, RW -> {
          // nobody has them any more
        }
      }
    }
  }

  private static String noAnswer(RuntimeException failure) {
    return "the store does not answer: " + failure;
  }

  /** Says what is left; one look that a busy machine is too slow for says nothing of the store. */
  private List<String> look(Lockkeeper keeper) {
    try {
      return left(keeper).stream().map(it -> it + " is left").toList();
    } catch (LockkeeperException | IllegalStateException e) {
      return List.of(noAnswer(e));
    }
  }

  private List<String> left(Lockkeeper keeper) {
    if (!task.subject().equals(WorkerOrder.OWN)) {
      return List.of(); // others keep their own order
    }
    List<String> left = new ArrayList<>();
    keeper.admin().inspect().forEach(report -> left.add(report.toString()));
    keeper.admin().cells(ResourceQuery.all()).forEach(report -> left.add(report.toString()));
    left.addAll(task.stage().remains(task.namespace()));
    return left;
  }
}

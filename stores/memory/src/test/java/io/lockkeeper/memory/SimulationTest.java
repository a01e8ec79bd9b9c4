package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.sim.BarrierSimulation;
import io.lockkeeper.testkit.sim.CellSimulation;
import io.lockkeeper.testkit.sim.ElectionSimulation;
import io.lockkeeper.testkit.sim.MultiLockSimulation;
import io.lockkeeper.testkit.sim.QuitterSimulation;
import io.lockkeeper.testkit.sim.QuorumSimulation;
import io.lockkeeper.testkit.sim.SilentLog;
import io.lockkeeper.testkit.sim.SimCoverage;
import io.lockkeeper.testkit.sim.SimReport;
import io.lockkeeper.testkit.sim.Simulation;
import io.lockkeeper.testkit.sim.YoungServerSimulation;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The engine, and what is made of its locks, against the memory store in simulated time.
 *
 * <p>To repeat a run, give its seed: {@code -Dlockkeeper.sim.seed=N}. For more or fewer runs:
 * {@code -Dlockkeeper.sim.runs=N}.
 */
@ExtendWith(SilentLog.class)
@Tag("simulation")
class SimulationTest {

  private static final int SHORT_RUNS = 1_000;
  private static final int CELL_RUNS = 200;
  private static final int BARRIER_RUNS = 200;
  private static final int QUITTER_RUNS = 100;
  private static final int MULTI_LOCK_RUNS = 100;
  private static final int ELECTION_RUNS = 100;
  private static final int QUORUM_RUNS = 30;
  private static final int YOUNG_RUNS = 200;
  private static final int LONG_RUNS = Integer.getInteger("lockkeeper.sim.longRuns", 1_000_000);

  /** How many of the long runs one thread takes at once. */
  private static final int CHUNK = 1_000;

  /**
   * How many times as many the slow tests take of what is not the first: a hundred thousand of each
   * kind, but of quorums, which run several stores each, a third.
   */
  private static final int LONG_FACTOR = 1_000;

  /** How many times as many the full tests take. */
  private static final int MORE_FACTOR = 2;

  /** The first of the seeds that reach everything; any will do. */
  private static final long COVERING_SEED = 1;

  private static final int COVERING_RUNS = 400;

  private final SimCoverage coverage = new SimCoverage();

  @Test
  void thePromisesHoldInEverySchedule() {
    Long seed = Long.getLong("lockkeeper.sim.seed");
    if (seed != null) {
      System.out.println(Simulation.run(seed, SimServerOfMemory::new, coverage));
    } else {
      runAll(Integer.getInteger("lockkeeper.sim.runs", SHORT_RUNS));
    }
  }

  /** On all processors: about two hours of processor time. */
  @Test
  @Tag("slow")
  void thePromisesHoldInAMillionSchedules() {
    long first = first();
    System.out.println("simulating " + LONG_RUNS + " schedules from seed " + first);
    long begunNanos = System.nanoTime();
    SimCoverage all =
        LongStream.range(0, LONG_RUNS / CHUNK)
            .parallel()
            .mapToObj(chunk -> chunk(first + chunk * CHUNK))
            .reduce(new SimCoverage(), SimCoverage::and);
    double seconds = (System.nanoTime() - begunNanos) / 1e9;
    System.out.printf(
        "%d schedules in %.0f s, %.0f/s%n%s",
        LONG_RUNS, seconds, LONG_RUNS / seconds, all.report());
  }

  private static SimCoverage chunk(long first) {
    SimCoverage counted = new SimCoverage();
    for (long seed = first; seed < first + CHUNK; seed++) {
      Simulation.run(seed, SimServerOfMemory::new, counted);
    }
    return counted;
  }

  @Test
  void cellsAreExactInEverySchedule() {
    runEach("cells", CELL_RUNS, this::cells);
  }

  @Test
  void nobodyPassesABarrierAloneInAnySchedule() {
    runEach("barriers", BARRIER_RUNS, this::barrier);
  }

  @Test
  void nobodyIsCountedAtABarrierWhoHasLeft() {
    runEach("quitters", QUITTER_RUNS, this::quitters);
  }

  @Test
  void aMultiLockIsAllOrNothingInEverySchedule() {
    runEach("multi-locks", MULTI_LOCK_RUNS, this::multiLock);
  }

  @Test
  void aServerThatWaitsForTheLongestLeaseLetsNobodyInBesideAForgottenHolderInAnySchedule() {
    youngServers(YoungServerSimulation.Rule.WAIT);
  }

  /**
   * Two leases are valid only where no client from before has reported in time; the simulation
   * throws if one has. Without such schedules it would show nothing.
   */
  @Test
  void aServerThatAsksLetsNobodyInBesideAForgottenHolderIfAClientFromBeforeReports() {
    assertThat(youngServers(YoungServerSimulation.Rule.ASK)).isPositive();
  }

  @Test
  void aServerThatDoesNotWaitLetsOthersInBesideAForgottenHolder() {
    assertThat(youngServers(YoungServerSimulation.Rule.GRANT)).isPositive();
  }

  private long youngServers(YoungServerSimulation.Rule rule) {
    AtomicLong overlaps = new AtomicLong();
    runEach(
        "young servers, " + rule,
        YOUNG_RUNS,
        seed -> {
          long found = YoungServerSimulation.run(seed, rule, SimServerOfMemory::new, coverage);
          overlaps.addAndGet(found);
          return found;
        });
    return overlaps.get();
  }

  @Test
  void oneLeadsAtATimeInEverySchedule() {
    runEach("elections", ELECTION_RUNS, this::election);
  }

  @Test
  void aQuorumHasOneHolderInEverySchedule() {
    runEach("quorums", QUORUM_RUNS, this::quorum);
  }

  @Test
  @Tag("full")
  void thePromisesHoldInMoreSchedules() {
    runAll(MORE_FACTOR * SHORT_RUNS);
    runOthers(MORE_FACTOR);
  }

  @Test
  @Tag("slow")
  void whatIsMadeOfLocksHoldsInAHundredThousandSchedules() {
    runOthers(LONG_FACTOR);
    System.out.print(coverage.report());
  }

  private void runOthers(int factor) {
    runEach("cells", factor * CELL_RUNS, this::cells);
    runEach("barriers", factor * BARRIER_RUNS, this::barrier);
    runEach("quitters", factor * QUITTER_RUNS, this::quitters);
    runEach("multi-locks", factor * MULTI_LOCK_RUNS, this::multiLock);
    runEach("elections", factor * ELECTION_RUNS, this::election);
    runEach("quorums", factor * QUORUM_RUNS, this::quorum);
  }

  /** A simulation shows nothing about what it never gets to. */
  @Test
  void everyTransitionOfTheGatesIsReached() {
    for (long seed = COVERING_SEED; seed < COVERING_SEED + COVERING_RUNS; seed++) {
      Simulation.run(seed, SimServerOfMemory::new, coverage);
    }
    for (long seed = COVERING_SEED; seed < COVERING_SEED + COVERING_RUNS / 4; seed++) {
      barrier(seed);
      quitters(seed);
    }
    assertThat(coverage.missed()).as(coverage.report()).isEmpty();
  }

  private long cells(long seed) {
    return CellSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  private long barrier(long seed) {
    return BarrierSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  private long quitters(long seed) {
    return QuitterSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  private long multiLock(long seed) {
    return MultiLockSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  private long election(long seed) {
    return ElectionSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  private long quorum(long seed) {
    return QuorumSimulation.run(seed, SimServerOfMemory::new, coverage);
  }

  /** Runs so many simulations from a random seed on, or the one whose seed is given. */
  private static void runEach(String what, int runs, LongUnaryOperator simulation) {
    Long seed = Long.getLong("lockkeeper.sim.seed");
    long first = seed != null ? seed : new SplittableRandom().nextLong(1L << 40);
    long last = seed != null ? seed : first + runs - 1;
    System.out.println("simulating " + what + " from seed " + first);
    long steps = 0;
    for (long each = first; each <= last; each++) {
      steps += simulation.applyAsLong(each);
    }
    System.out.printf("%d schedules, %d steps%n", last - first + 1, steps);
  }

  private static long first() {
    return Long.getLong("lockkeeper.sim.first", new SplittableRandom().nextLong(1L << 40));
  }

  private void runAll(int runs) {
    long first = first();
    System.out.println("simulating " + runs + " schedules from seed " + first);
    long acquired = 0;
    long lost = 0;
    long steps = 0;
    for (long seed = first; seed < first + runs; seed++) {
      SimReport report = Simulation.run(seed, SimServerOfMemory::new, coverage);
      acquired += report.acquired();
      lost += report.lost();
      steps += report.steps();
    }
    System.out.printf(
        "%d schedules, %d steps, %d leases, %d of them lost%n", runs, steps, acquired, lost);
  }
}

package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockkeeper.testkit.sim.BarrierSimulation;
import io.lockkeeper.testkit.sim.CellSimulation;
import io.lockkeeper.testkit.sim.QuitterSimulation;
import io.lockkeeper.testkit.sim.SilentLog;
import io.lockkeeper.testkit.sim.SimCoverage;
import io.lockkeeper.testkit.sim.SimReport;
import io.lockkeeper.testkit.sim.SimViolation;
import io.lockkeeper.testkit.sim.Simulation;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The engine and the store, down to ZooKeeper's driver, on a simulated ensemble: each request
 * leaves, is carried out and is answered at a moment of its own.
 *
 * <p>To repeat a run, give its seed: {@code -Dlockkeeper.sim.seed=N}. For more or fewer runs:
 * {@code -Dlockkeeper.sim.runs=N}.
 */
@ExtendWith(SilentLog.class)
class ProtocolSimulationTest {

  private static final int RUNS = Integer.getInteger("lockkeeper.sim.runs", 100);

  /** How many schedules of the other kinds there are beside those of locks. */
  private static final int OTHER_RUNS = RUNS / 4;

  private static final int MORE_RUNS = 250;
  private static final int LONG_RUNS = Integer.getInteger("lockkeeper.sim.longRuns", 100_000);

  /** In how many runs, and from which seed on, a broken store has to be noticed. */
  private static final int MOST_UNNOTICED = 1_000;

  private static final long FIRST_BROKEN = 1;

  @Test
  void locksReadWriteLocksAndPermitsKeepTheirPromisesInEverySchedule() {
    runEach("locks and permits", RUNS, ProtocolSimulationTest::locks);
  }

  @Test
  void cellsAreExactInEverySchedule() {
    runEach("cells", OTHER_RUNS, ProtocolSimulationTest::cells);
  }

  @Test
  void nobodyPassesABarrierAloneInAnySchedule() {
    runEach("barriers", OTHER_RUNS, ProtocolSimulationTest::barrier);
  }

  @Test
  void whoLeavesABarrierLeavesNothingInAnySchedule() {
    runEach("quitters", OTHER_RUNS, ProtocolSimulationTest::quitters);
  }

  @Test
  @Tag("full")
  void thePromisesHoldInMoreSchedules() {
    runEach("locks and permits", MORE_RUNS, ProtocolSimulationTest::locks);
    runEach("cells", MORE_RUNS / 4, ProtocolSimulationTest::cells);
    runEach("barriers", MORE_RUNS / 4, ProtocolSimulationTest::barrier);
    runEach("quitters", MORE_RUNS / 4, ProtocolSimulationTest::quitters);
  }

  /** A simulation that notices nothing shows nothing. */
  @Test
  @Tag("full")
  void aNodeThatIsTakenForAnotherIsNoticedAndItsSeedRepeatsThat() {
    long seed =
        LongStream.range(FIRST_BROKEN, FIRST_BROKEN + MOST_UNNOTICED)
            .filter(each -> violation(each) != null)
            .findFirst()
            .orElseThrow();
    String message = String.valueOf(violation(seed));

    assertThat(message).contains("seed " + seed).isEqualTo(violation(seed));
    locks(seed); // which is right with the right node
  }

  private static String violation(long seed) {
    SimViolation found =
        catchThrowableOfType(
            SimViolation.class,
            () ->
                Simulation.run(
                    seed,
                    time -> new SimEnsemble(SimEnsemble.Fault.NODES_TAKEN_FOR_OTHERS),
                    new SimCoverage()));
    return found == null ? null : found.getMessage();
  }

  @Test
  @Tag("slow")
  void thePromisesHoldInAHundredThousandSchedulesOfEachKind() {
    runParallel("locks and permits", ProtocolSimulationTest::locks);
    runParallel("cells", ProtocolSimulationTest::cells);
    runParallel("barriers", ProtocolSimulationTest::barrier);
    runParallel("quitters", ProtocolSimulationTest::quitters);
  }

  private static long locks(long seed) {
    SimReport report = Simulation.run(seed, time -> new SimEnsemble(), new SimCoverage());
    return report.steps();
  }

  private static long cells(long seed) {
    return CellSimulation.run(seed, time -> new SimEnsemble(), new SimCoverage());
  }

  /** Whose session ends when a group is complete may be counted in the next: that is documented. */
  private static long barrier(long seed) {
    return BarrierSimulation.run(
        seed, time -> new SimEnsemble(SimEnsemble.Fault.LASTING_SESSIONS), new SimCoverage());
  }

  private static long quitters(long seed) {
    return QuitterSimulation.run(seed, time -> new SimEnsemble(), new SimCoverage());
  }

  /** Runs so many simulations from a random seed on, or the one whose seed is given. */
  private static void runEach(String what, int runs, LongUnaryOperator simulation) {
    Long seed = Long.getLong("lockkeeper.sim.seed");
    long first = seed != null ? seed : first();
    long last = seed != null ? seed : first + runs - 1;
    System.out.println("simulating " + what + " on ZooKeeper from seed " + first);
    long steps = LongStream.rangeClosed(first, last).map(simulation).sum();
    System.out.printf("%d schedules, %d steps%n", last - first + 1, steps);
  }

  /** Runs the long simulations on all processors, and says how far they are. */
  private static void runParallel(String what, LongUnaryOperator simulation) {
    long first = first();
    System.out.println("simulating " + LONG_RUNS + " of " + what + " from seed " + first);
    long begunNanos = System.nanoTime();
    AtomicInteger done = new AtomicInteger();
    long steps =
        LongStream.range(first, first + LONG_RUNS)
            .parallel()
            .map(simulation)
            .peek(each -> tell(done.incrementAndGet(), begunNanos))
            .sum();
    System.out.printf("%d schedules, %d steps%n", LONG_RUNS, steps);
  }

  private static void tell(int done, long begunNanos) {
    if (done % 1_000 == 0) {
      System.out.printf("%d done, %.0f/s%n", done, done * 1e9 / (System.nanoTime() - begunNanos));
    }
  }

  private static long first() {
    return Long.getLong("lockkeeper.sim.first", new SplittableRandom().nextLong(1L << 40));
  }
}

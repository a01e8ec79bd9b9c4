package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.sim.BarrierSimulation;
import io.lockkeeper.testkit.sim.CellSimulation;
import io.lockkeeper.testkit.sim.QuitterSimulation;
import io.lockkeeper.testkit.sim.SilentLog;
import io.lockkeeper.testkit.sim.SimCoverage;
import io.lockkeeper.testkit.sim.SimRecords;
import io.lockkeeper.testkit.sim.SimServer;
import io.lockkeeper.testkit.sim.SimViolation;
import io.lockkeeper.testkit.sim.Simulation;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine and the store above records, on records whose requests leave, are carried out and are
 * answered each at a moment of its own.
 *
 * <p>To repeat a run, give its seed: {@code -Dlockkeeper.sim.seed=N}. For more or fewer runs:
 * {@code -Dlockkeeper.sim.runs=N}.
 */
@ExtendWith(SilentLog.class)
class RecordSimulationTest {

  private static final int RUNS = Integer.getInteger("lockkeeper.sim.runs", 60);
  private static final int MORE_RUNS = 120;
  private static final int LONG_RUNS = Integer.getInteger("lockkeeper.sim.longRuns", 100_000);

  /** In how many runs, and from which seed on, a broken store has to be noticed. */
  private static final int MOST_UNNOTICED = 500;

  private static final long FIRST_BROKEN = 1;

  private static SimServer records(TimeSource time) {
    MapsServer server = new MapsServer("simulated", time);
    return new SimRecords(time, (id, own) -> server.open(id));
  }

  private static long locks(long seed) {
    return Simulation.run(seed, RecordSimulationTest::records, new SimCoverage()).steps();
  }

  private static SimServer withoutClock(TimeSource time) {
    MapsServer server = new MapsServer("simulated", time);
    return new SimRecords(
        time, (id, own) -> new RecordsWithoutClock(server.open(id), clock(time, own, id)));
  }

  /** A clock of a process, whose calendar is up to half a second early or late. */
  private static RecordClock clock(TimeSource time, TimeSource own, String id) {
    long offNanos = id.hashCode() % 500_000_000L;
    return RecordClock.own(own).withCalendar(() -> time.nanos() + offNanos);
  }

  private static long locksWithoutClock(long seed) {
    return Simulation.run(seed, RecordSimulationTest::withoutClock, new SimCoverage()).steps();
  }

  private static SimServer withSessions(TimeSource time) {
    return new SimRecords(time, sessions(time));
  }

  private static BiFunction<String, TimeSource, RecordStore> sessions(TimeSource time) {
    MapsServer server = new MapsServer("simulated", time);
    return (id, own) ->
        new RecordsWithoutClock(new RecordsWithSessions(server, id), clock(time, own, id));
  }

  private static long locksWithSessions(long seed) {
    return Simulation.run(seed, RecordSimulationTest::withSessions, new SimCoverage()).steps();
  }

  private static long cellsWithoutClock(long seed) {
    return CellSimulation.run(seed, RecordSimulationTest::withoutClock, new SimCoverage());
  }

  private static long cells(long seed) {
    return CellSimulation.run(seed, RecordSimulationTest::records, new SimCoverage());
  }

  private static long barrier(long seed) {
    return BarrierSimulation.run(seed, RecordSimulationTest::records, new SimCoverage());
  }

  private static long quitters(long seed) {
    return QuitterSimulation.run(seed, RecordSimulationTest::records, new SimCoverage());
  }

  @Test
  void locksReadWriteLocksAndPermitsKeepTheirPromisesInEverySchedule() {
    runEach("locks and permits", RUNS, RecordSimulationTest::locks);
  }

  @Test
  void theyKeepThemWhereTheStoreHasNoClock() {
    runEach("locks and permits without a clock", RUNS, RecordSimulationTest::locksWithoutClock);
  }

  @Test
  void theyKeepThemWhereTheStoreHasSessions() {
    runEach("locks and permits with sessions", RUNS, RecordSimulationTest::locksWithSessions);
  }

  @Test
  void cellsAreExactWhereTheStoreHasNoClock() {
    runEach("cells without a clock", RUNS / 3, RecordSimulationTest::cellsWithoutClock);
  }

  @Test
  void cellsAreExactInEverySchedule() {
    runEach("cells", RUNS / 3, RecordSimulationTest::cells);
  }

  @Test
  void nobodyPassesABarrierAloneInAnySchedule() {
    runEach("barriers", RUNS / 3, RecordSimulationTest::barrier);
  }

  @Test
  void nobodyIsCountedAtABarrierWhoHasLeft() {
    runEach("quitters", RUNS / 3, RecordSimulationTest::quitters);
  }

  @Test
  @Tag("full")
  void thePromisesHoldInMoreSchedules() {
    runEach("locks and permits", MORE_RUNS, RecordSimulationTest::locks);
    runEach("without a clock", MORE_RUNS, RecordSimulationTest::locksWithoutClock);
    runEach("with sessions", MORE_RUNS, RecordSimulationTest::locksWithSessions);
    runOthers(MORE_RUNS / 3);
  }

  @Test
  @Tag("slow")
  void thePromisesHoldInAHundredThousandSchedules() {
    runEach("locks and permits", LONG_RUNS, RecordSimulationTest::locks);
  }

  @Test
  @Tag("slow")
  void thePromisesHoldInAHundredThousandSchedulesWithoutAClock() {
    runEach("without a clock", LONG_RUNS, RecordSimulationTest::locksWithoutClock);
  }

  @Test
  @Tag("slow")
  void thePromisesHoldInAHundredThousandSchedulesWithSessions() {
    runEach("with sessions", LONG_RUNS, RecordSimulationTest::locksWithSessions);
  }

  @Test
  @Tag("slow")
  void thePromisesOfCellsAndBarriersHoldInAHundredThousandSchedules() {
    runOthers(LONG_RUNS);
  }

  private static void runOthers(int runs) {
    runEach("cells", runs, RecordSimulationTest::cells);
    runEach("cells without a clock", runs, RecordSimulationTest::cellsWithoutClock);
    runEach("barriers", runs, RecordSimulationTest::barrier);
    runEach("quitters", runs, RecordSimulationTest::quitters);
  }

  /** A simulation that notices nothing shows nothing. */
  @ParameterizedTest
  @EnumSource(
      value = BrokenRecords.Fault.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"AN_EARLIER_READING", "ONLY_THE_FIRST"})
  void recordsThatBreakTheContractAreNoticedAndTheirSeedRepeatsThat(BrokenRecords.Fault fault) {
    long seed =
        LongStream.range(FIRST_BROKEN, FIRST_BROKEN + MOST_UNNOTICED)
            .filter(each -> violation(fault, each) != null)
            .findFirst()
            .orElseThrow();
    System.out.println(fault + " is noticed with seed " + seed);

    assertThat(violation(fault, seed)).contains("seed " + seed).isEqualTo(violation(fault, seed));
    locks(seed); // which is right on records that are not broken
  }

  /** A record that a client has given up making is made when the next one has been deleted. */
  @Test
  void recordsThatAreMadeLateAreNoticed() {
    long seed =
        LongStream.range(FIRST_BROKEN, FIRST_BROKEN + MOST_UNNOTICED)
            .filter(each -> violation(RecordSimulationTest::withLateCreations, each) != null)
            .findFirst()
            .orElseThrow();
    System.out.println("a late creation is noticed with seed " + seed);
    locksWithSessions(seed);
  }

  private static SimServer withLateCreations(TimeSource time) {
    return new SimRecords(time, sessions(time), false);
  }

  private static String violation(BrokenRecords.Fault fault, long seed) {
    return violation(time -> broken(fault, time), seed);
  }

  private static SimServer broken(BrokenRecords.Fault fault, TimeSource time) {
    BrokenRecords records = new BrokenRecords(fault, time);
    return new SimRecords(time, (id, own) -> records.apply(id));
  }

  private static String violation(Function<TimeSource, SimServer> server, long seed) {
    SimViolation found =
        catchThrowableOfType(
            SimViolation.class, () -> Simulation.run(seed, server, new SimCoverage()));
    return found == null ? null : found.getMessage();
  }

  /** Runs so many simulations from a random seed on, or the one whose seed is given. */
  private static void runEach(String what, int runs, LongUnaryOperator simulation) {
    Long seed = Long.getLong("lockkeeper.sim.seed");
    long first = seed != null ? seed : new SplittableRandom().nextLong(1L << 40);
    long last = seed != null ? seed : first + runs - 1;
    System.out.println("simulating " + what + " on records from seed " + first);
    long steps = LongStream.rangeClosed(first, last).map(simulation).sum();
    System.out.printf("%d schedules, %d steps%n", last - first + 1, steps);
  }
}

package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.testkit.sim.BarrierSimulation;
import io.lockkeeper.testkit.sim.CellSimulation;
import io.lockkeeper.testkit.sim.SimReport;
import io.lockkeeper.testkit.sim.SimServer;
import io.lockkeeper.testkit.sim.Simulation;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine against the memory store in simulated time.
 *
 * <p>To repeat a run, give its seed: {@code -Dlockkeeper.sim.seed=N}. For more or fewer runs:
 * {@code -Dlockkeeper.sim.runs=N}.
 */
class SimulationTest {

  private static final int SHORT_RUNS = 3_000;
  private static final int CELL_RUNS = 500;
  private static final int BARRIER_RUNS = 500;
  private static final int LONG_RUNS = 100_000;

  @Test
  void thePromisesHoldInEverySchedule() {
    Long seed = Long.getLong("lockkeeper.sim.seed");
    if (seed != null) {
      System.out.println(Simulation.run(seed, Adapter::new));
    } else {
      runAll(Integer.getInteger("lockkeeper.sim.runs", SHORT_RUNS));
    }
  }

  @Test
  @Tag("slow")
  void thePromisesHoldInAHundredThousandSchedules() {
    runAll(LONG_RUNS);
  }

  @Test
  void cellsAreExactInEverySchedule() {
    runEach("cells", CELL_RUNS, seed -> CellSimulation.run(seed, Adapter::new));
  }

  @Test
  void nobodyPassesABarrierAloneInAnySchedule() {
    runEach("barriers", BARRIER_RUNS, seed -> BarrierSimulation.run(seed, Adapter::new));
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

  private static void runAll(int runs) {
    long first = Long.getLong("lockkeeper.sim.first", new SplittableRandom().nextLong(1L << 40));
    System.out.println("simulating " + runs + " schedules from seed " + first);
    long acquired = 0;
    long lost = 0;
    long steps = 0;
    for (long seed = first; seed < first + runs; seed++) {
      SimReport report = Simulation.run(seed, Adapter::new);
      acquired += report.acquired();
      lost += report.lost();
      steps += report.steps();
    }
    System.out.printf(
        "%d schedules, %d steps, %d leases, %d of them lost%n", runs, steps, acquired, lost);
  }

  /** The memory server as the simulation wants it. */
  private static final class Adapter implements SimServer {

    private final MemoryServer server;

    Adapter(TimeSource time) {
      server = new MemoryServer(time);
    }

    @Override
    public StoreFactory factory() {
      return server.factory();
    }

    @Override
    public void flush() {
      server.flush();
      server.reconnect();
    }

    @Override
    public void crash(String clientId) {
      server.abandon(clientId);
    }

    @Override
    public boolean isQuiet() {
      return server.isQuiet();
    }

    @Override
    public void onGrant(GrantWatch watch) {
      server.onGrant(
          record ->
              watch.granted(
                  record.resource(),
                  record.clientId(),
                  record.claims().stream().map(GrantRecord.Admitted::arrival).toList(),
                  record.firstToken(),
                  record.lastToken()));
    }
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.spi.TimeSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with a barrier: the callers of many clients pass it round after round, through lost,
 * repeated and late requests, lost notifications, clocks that drift and jump, and pauses. Nobody
 * may pass before all have come, and all must get through all rounds.
 *
 * <p>There are no crashes and no flushes here: without one of its members a group never passes.
 */
public final class BarrierSimulation extends SimRun {

  private static final String NAME = "barrier";
  private static final long MAX_PAUSE_NANOS = 4_000 * NANOS_PER_MILLI;

  private final SimNode node;
  private final int parties;

  /** How many have come to each round. */
  private final int[] came;

  private int finished;

  private BarrierSimulation(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.node = node("server", servers);
    this.parties = plan.clients() * plan.actors();
    this.came = new int[plan.rounds()];
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    BarrierSimulation simulation = new BarrierSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      DistributedBarrier barrier = client.connect(node).barrier(NAME, parties);
      for (int j = 0; j < plan.actors(); j++) {
        SimProcess process = client.process();
        process.later(
            () -> come(process, barrier, 0), client.random().nextLong(50 * NANOS_PER_MILLI));
      }
    }
  }

  private void come(SimProcess process, DistributedBarrier barrier, int round) {
    if (isFaulty() && random.nextInt(100) < plan.pausePercent()) {
      process.stumble(random, MAX_PAUSE_NANOS);
    }
    came[round]++;
    barrier
        .awaitAsync()
        .whenComplete(
            (none, failure) -> process.execute(() -> pass(process, barrier, round, failure)));
  }

  private void pass(
      SimProcess process, DistributedBarrier barrier, int round, @Nullable Throwable failure) {
    if (failure != null) {
      throw new SimViolation("round " + round + " failed", failure);
    }
    if (came[round] < parties) {
      throw new SimViolation(
          "round " + round + " was passed when " + came[round] + " of " + parties + " had come");
    }
    if (round + 1 == plan.rounds()) {
      finished++;
    } else {
      process.later(() -> come(process, barrier, round + 1), random.nextLong(20 * NANOS_PER_MILLI));
    }
  }

  @Override
  boolean isDone() {
    return finished == parties;
  }

  @Override
  long stuckAfterNanos() {
    return 2 * FAULTS_NANOS + 2 * PATIENCE_NANOS;
  }

  @Override
  void atRest() {
    hasGivenAllBack(node);
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with a barrier: the callers of many clients pass it round after round, through lost,
 * repeated and late requests, lost hints, drifting clocks and pauses shorter than a lease. Nobody
 * may pass before all have come, and all must get through all rounds.
 *
 * <p>There are no crashes and no flushes here: without one of its members a group never passes.
 */
public final class BarrierSimulation {

  private static final String NAME = "barrier";
  private static final int MAX_DRIFT_PER_MILLE = 4;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long FAULTS_NANOS = 20_000 * NANOS_PER_MILLI;
  private static final long PATIENCE_NANOS = 120_000 * NANOS_PER_MILLI;
  private static final long MAX_PAUSE_NANOS = 4_000 * NANOS_PER_MILLI;
  private static final int MAX_STEPS = 2_000_000;

  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimWorld world = new SimWorld();
  private final SimServer server;
  private final int parties;

  /** How many have come to each round. */
  private final int[] came;

  private int finished;
  private boolean faulty;

  private BarrierSimulation(long seed, Function<TimeSource, SimServer> servers) {
    this.random = new SplittableRandom(seed);
    this.plan = SimPlan.draw(random);
    this.faulty = plan.isFaulty();
    this.server = servers.apply(new SimProcess(world, "server", rate()));
    this.parties = plan.clients() * plan.actors();
    this.came = new int[plan.rounds()];
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers) {
    BarrierSimulation simulation = new BarrierSimulation(seed, servers);
    try {
      simulation.run();
      return simulation.world.steps();
    } catch (RuntimeException | AssertionError broken) {
      String where = "seed " + seed + ", step " + simulation.world.steps() + ": ";
      throw new SimViolation(where + broken.getMessage() + "; " + simulation.plan, broken);
    }
  }

  private double rate() {
    return 1 + random.nextInt(-MAX_DRIFT_PER_MILLE, MAX_DRIFT_PER_MILLE + 1) / 1000.0;
  }

  private void run() {
    for (int i = 0; i < plan.clients(); i++) {
      startClient("client" + i);
    }
    world.at(FAULTS_NANOS, null, () -> faulty = false);
    while (finished < parties) {
      stepOrFail();
    }
    while (world.step()) {
      if (world.steps() > MAX_STEPS) {
        throw new SimViolation("does not come to rest");
      }
    }
  }

  private void startClient(String name) {
    SimProcess process = new SimProcess(world, name, rate());
    SplittableRandom own = random.split();
    Environment environment = new Environment(process, process::scheduler, own.split());
    SplittableRandom network = own.split();
    Lockkeeper keeper =
        Lockkeeper.builder()
            .clientName(name)
            .storePatience(Duration.ofMinutes(10))
            .executor(process::execute)
            .environment(environment)
            .connect(
                context ->
                    new SimLink(
                        world,
                        process,
                        network,
                        plan,
                        server.factory().open(context),
                        context.clientId(),
                        () -> faulty));
    DistributedBarrier barrier = keeper.barrier(NAME, parties);
    for (int i = 0; i < plan.actors(); i++) {
      process.later(() -> come(process, barrier, 0), own.nextLong(50 * NANOS_PER_MILLI));
    }
  }

  private void come(SimProcess process, DistributedBarrier barrier, int round) {
    if (faulty && random.nextInt(100) < plan.pausePercent()) {
      process.pause(random.nextLong(MAX_PAUSE_NANOS));
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

  private void stepOrFail() {
    if (!world.step()) {
      throw new SimViolation("nothing is going to happen, and somebody still waits");
    }
    if (world.nowNanos() > 2 * FAULTS_NANOS + PATIENCE_NANOS) {
      throw new SimViolation("somebody has not passed for long after the last fault");
    }
    if (world.steps() > MAX_STEPS) {
      throw new SimViolation("busy without end");
    }
  }
}

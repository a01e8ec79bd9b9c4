package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run: many clients of one store, driven through lost requests, lost and late replies, lost
 * pushes, pauses, crashes, drifting clocks, flushes and forced releases, until the faults stop and
 * everybody must come to rest.
 *
 * <p>{@link #run} throws a {@link SimViolation} with the seed if a promise is broken.
 */
public final class Simulation {

  /**
   * How far a clock's rate may be off, in parts per thousand; the promises allow one percent in
   * all.
   */
  private static final int MAX_DRIFT_PER_MILLE = 4;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long FAULTS_NANOS = 20_000 * NANOS_PER_MILLI;
  private static final long PATIENCE_NANOS = 60_000 * NANOS_PER_MILLI;
  private static final int MAX_STEPS = 2_000_000;

  private final long seed;
  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimWorld world = new SimWorld();
  private final SimChecker checker;
  private final SimServer server;
  private final List<SimActor> actors = new ArrayList<>();
  private @Nullable Store operator;
  private boolean faulty;

  private Simulation(long seed, Function<TimeSource, SimServer> servers) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.plan = SimPlan.draw(random);
    this.checker = new SimChecker(world, plan.resources());
    this.faulty = plan.isFaulty();
    this.server = servers.apply(new SimProcess(world, "server", rate()));
  }

  /**
   * Runs one simulation.
   *
   * @param servers makes a store that takes its time from the given source
   */
  public static SimReport run(long seed, Function<TimeSource, SimServer> servers) {
    Simulation simulation = new Simulation(seed, servers);
    try {
      return simulation.run();
    } catch (SimViolation | RuntimeException failure) {
      throw new SimViolation(
          "seed "
              + seed
              + ", step "
              + simulation.world.steps()
              + ", at "
              + simulation.world.nowNanos() / 1_000
              + " us: "
              + failure.getMessage()
              + "; "
              + simulation.plan,
          failure);
    } catch (AssertionError broken) {
      throw new SimViolation("seed " + seed + ", step " + simulation.world.steps(), broken);
    }
  }

  private double rate() {
    return 1 + random.nextInt(-MAX_DRIFT_PER_MILLE, MAX_DRIFT_PER_MILLE + 1) / 1000.0;
  }

  private SimReport run() {
    server.onGrant(
        (resource, client, arrivals, first, last) -> {
          world.trace(() -> "granted " + resource + " to " + client + ", tokens from " + first);
          checker.granted(resource, arrivals, first, last);
        });
    for (int i = 0; i < plan.clients(); i++) {
      startClient(i);
    }
    planFaults();
    while (!isDone()) {
      stepOrFail();
    }
    comeToRest();
    return new SimReport(
        seed, world.steps(), checker.acquisitions(), checker.losses(), checker.refusals());
  }

  private void startClient(int index) {
    SimProcess process = new SimProcess(world, "client" + index, rate());
    SplittableRandom own = random.split();
    Environment environment = new Environment(process, process::scheduler, own.split());
    LockkeeperBuilder builder =
        Lockkeeper.builder()
            .clientName("client" + index)
            .lease(Duration.ofMillis(plan.leaseMillis()))
            .storePatience(Duration.ofMinutes(10))
            .executor(process::execute)
            .environment(environment);
    SplittableRandom network = own.split();
    Lockkeeper keeper =
        builder.connect(
            context ->
                new SimLink(
                    world,
                    process,
                    network,
                    plan,
                    server.factory().open(context),
                    "client" + index,
                    () -> faulty));
    for (int i = 0; i < plan.actors(); i++) {
      SimActor actor = new SimActor(process, keeper, own.split(), plan, checker);
      actors.add(actor);
      actor.start();
    }
    if (index < plan.crashes()) {
      world.at(
          random.nextLong(FAULTS_NANOS / 20),
          null,
          () -> {
            process.crash();
            server.crash(keeper.clientId());
            checker.crashed(process);
          });
    }
  }

  private void planFaults() {
    for (int i = 0; i < plan.flushes(); i++) {
      world.at(random.nextLong(FAULTS_NANOS / 20), null, this::flush);
    }
    if (plan.forced() > 0) {
      operator = openOperator();
      for (int i = 0; i < plan.forced(); i++) {
        world.at(random.nextLong(FAULTS_NANOS / 20), null, this::force);
      }
    }
    world.at(FAULTS_NANOS, null, () -> faulty = false);
  }

  private Store openOperator() {
    SimProcess process = new SimProcess(world, "operator", 1);
    Environment environment = new Environment(process, process::scheduler, random.split());
    Store store =
        server
            .factory()
            .open(
                new StoreContext(
                    "operator", "operator", "lockkeeper", Timings.DEFAULT, environment));
    store.listen(new SilentListener());
    return store;
  }

  private void flush() {
    plan.resources().forEach(resource -> checker.excuse(resource.name()));
    world.trace(() -> "flush");
    server.flush();
  }

  private void force() {
    SimResource resource = plan.resources().get(random.nextInt(plan.resources().size()));
    checker.excuse(resource.name());
    world.trace(() -> "force " + resource);
    if (operator != null) {
      operator.forceRelease(resource.id()).toCompletableFuture().join();
    }
  }

  private boolean isDone() {
    return actors.stream().allMatch(SimActor::isDone);
  }

  private void stepOrFail() {
    if (!world.step()) {
      throw new SimViolation("nothing is going to happen, and somebody still waits");
    }
    checker.check();
    long stuckAfter =
        Math.max(checker.progressNanos(), FAULTS_NANOS)
            + PATIENCE_NANOS
            + 4L * plan.leaseMillis() * NANOS_PER_MILLI;
    if (world.nowNanos() > stuckAfter) {
      throw new SimViolation("nobody has got anywhere for long after the last fault");
    }
    if (world.steps() > MAX_STEPS) {
      throw new SimViolation("busy without end");
    }
  }

  private void comeToRest() {
    while (world.step()) {
      checker.check();
      if (world.steps() > MAX_STEPS) {
        throw new SimViolation("does not come to rest");
      }
    }
    // What was left to die by time may take a lease.
    world.at(
        world.nowNanos() + PATIENCE_NANOS + plan.leaseMillis() * NANOS_PER_MILLI, null, () -> {});
    world.step();
    if (!server.isQuiet()) {
      throw new SimViolation("something is left in the store");
    }
  }
}

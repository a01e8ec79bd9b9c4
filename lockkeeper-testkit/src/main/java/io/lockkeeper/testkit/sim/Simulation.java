package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One run: many clients of one store, driven through lost requests, lost and late replies, lost
 * pushes, pauses, crashes, clocks that drift and jump, flushes and forced releases, until the
 * faults stop and everybody must come to rest.
 *
 * <p>{@link #run} throws a {@link SimViolation} with the seed if a promise is broken.
 */
public final class Simulation extends SimRun {

  private final SimChecker checker;
  private final SimNode node;
  private final List<SimActor> actors = new ArrayList<>();

  private Simulation(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.node = node("server", servers);
    this.checker = new SimChecker(world, plan.resources());
  }

  /**
   * Runs one simulation.
   *
   * @param servers makes a store that takes its time from the given source
   */
  public static SimReport run(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    Simulation simulation = new Simulation(seed, servers, coverage);
    simulation.play();
    return simulation.report();
  }

  private SimReport report() {
    return new SimReport(
        seed, world.steps(), checker.acquisitions(), checker.losses(), checker.refusals());
  }

  @Override
  void begin() {
    node.server()
        .onGrant(
            grant -> {
              world.trace(() -> "" + grant);
              checker.granted(grant);
            });
    for (int i = 0; i < plan.clients(); i++) {
      begin(client("client" + i), i < plan.crashes());
    }
    for (int i = 0; i < plan.flushes(); i++) {
      world.at(earlyNanos(), null, this::flush);
    }
    if (plan.forced() > 0 || node.isProtocol()) {
      Store operator = node.operator(this, random);
      setLimits(operator);
      for (int i = 0; i < plan.forced(); i++) {
        world.at(earlyNanos(), null, () -> force(operator));
      }
    }
  }

  private void begin(SimClient client, boolean crashes) {
    Lockkeeper keeper = client.connect(node);
    for (int i = 0; i < plan.actors(); i++) {
      SimActor actor = new SimActor(client, keeper, plan, checker);
      actors.add(actor);
      actor.start();
    }
    if (crashes) {
      world.at(
          earlyNanos(),
          null,
          () -> {
            client.crash();
            checker.crashed(client.process());
          });
    }
  }

  private void flush() {
    plan.resources().forEach(resource -> checker.excuse(resource.name()));
    world.trace(() -> "flush");
    node.server().flush();
  }

  private void force(Store operator) {
    SimResource resource = plan.resources().get(random.nextInt(plan.resources().size()));
    world.trace(() -> "force " + resource);
    if (node.isProtocol()) {
      checker.excuseAll(resource.name()); // nobody knows when it is carried out
    } else {
      checker.excuse(resource.name());
    }
    operator.forceRelease(resource.id());
  }

  /** Sets the limits of semaphores for good, and gives them up, again and again. */
  private void setLimits(Store operator) {
    for (SimResource resource : plan.resources()) {
      if (node.isProtocol() && resource.kind() == ResourceKind.SEMAPHORE && random.nextBoolean()) {
        for (int i = random.nextInt(1, 9); i >= 0; i--) {
          int limit = i % 2 == 0 ? Inspection.UNSET : resource.limit();
          world.at((20 - i) * earlyNanos() / 20, null, () -> operator.resize(resource.id(), limit));
        }
        long last = FAULTS_NANOS + NANOS_PER_MILLI;
        world.at(last, null, () -> operator.resize(resource.id(), Inspection.UNSET));
      }
    }
  }

  @Override
  void check() {
    checker.check();
  }

  @Override
  boolean isDone() {
    return actors.stream().allMatch(SimActor::isDone);
  }

  @Override
  long stuckAfterNanos() {
    return Math.max(checker.progressNanos(), FAULTS_NANOS)
        + PATIENCE_NANOS
        + 4L * plan.leaseMillis() * NANOS_PER_MILLI;
  }

  @Override
  void atRest() {
    if (node.isProtocol()) {
      plan.resources().forEach(this::visit);
    }
    restOut(node);
  }

  /**
   * Takes all there is of a resource, and gives it back. What the dead have left, and those who
   * could not say that they are gone, must not be in the way for longer than it lasts; and whoever
   * comes clears it away.
   */
  private void visit(SimResource resource) {
    long deadline = world.nowNanos() + PATIENCE_NANOS + 4L * plan.leaseMillis() * NANOS_PER_MILLI;
    CompletableFuture<? extends Lease> taken =
        new SimWish(resource, resource.limit())
            .ask(client("visitor").connect(node), random, AcquireOptions.defaults());
    while (!taken.isDone()) {
      if (!world.step() || world.nowNanos() > deadline) {
        throw new SimViolation("who comes to " + resource + " when all have gone does not get it");
      }
    }
    taken.join().release();
    while (world.step()) {
      check();
    }
  }
}

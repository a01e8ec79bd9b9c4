package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One run: many clients of one store, driven through lost requests, lost and late replies, lost
 * pushes, pauses, crashes, clocks that drift and jump, flushes and forced releases, until the
 * faults stop and everybody must come to rest.
 *
 * <p>{@link #run} throws a {@link SimViolation} with the seed if a promise is broken.
 */
public final class Simulation extends SimRun {

  /** How late a copy of a request by an operator comes. */
  private static final long LATE_COPY_NANOS = 100 * NANOS_PER_MILLI;

  private final SimChecker checker;
  private final SimNode node;
  private final List<SimActor> actors = new ArrayList<>();

  private Simulation(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.checker = new SimChecker(world, plan.resources());
    this.node = node("server", servers);
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
    if (plan.forced() > 0) {
      Store operator = node.operator(this, random);
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
    checker.excuse(resource.name()); // whoever comes from now on is not meant
    long newest = newestToken(operator, resource);
    ForceRequest request = new ForceRequest(resource.id(), newest);
    for (int copies = random.nextInt(1, 4); copies > 0; copies--) {
      world.at(
          world.nowNanos() + random.nextLong(LATE_COPY_NANOS),
          null,
          () -> {
            world.trace(() -> "" + request);
            operator.forceRelease(request).toCompletableFuture().join();
          });
    }
  }

  private static long newestToken(Store operator, SimResource resource) {
    return operator.inspect(resource.id()).toCompletableFuture().join()
            instanceof Outcome.Answered<Inspection> answered
        ? answered.answer().holders().stream().mapToLong(Inspection.Holder::token).max().orElse(0)
        : 0;
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
    restOut(node);
  }
}

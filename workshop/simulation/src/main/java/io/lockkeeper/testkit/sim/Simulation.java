package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One run: many clients of one store, driven through lost requests, lost and late replies, lost
 * pushes, pauses, crashes, clocks that drift and jump, flushes and forced releases, until the
 * faults stop and everybody must come to rest.
 *
 * <p>{@link #run} throws a {@link SimViolation} with the seed if a promise is broken.
 */
public final class Simulation extends SimRun {

  /** How late a copy of a request by an operator comes. */
  private static final long REMEMBER_MILLIS = 60_000;

  private static final long LATE_COPY_NANOS = 100 * NANOS_PER_MILLI;

  /** When the longest fixed lease has ended at the store. */
  private static final long FIXED_ENDS_NANOS = 3_000 * NANOS_PER_MILLI;

  /** How many clients renew others' permits of each semaphore. */
  private static final int STRANGERS = 5;

  private final SimChecker checker;
  private final SimNode node;
  private final List<SimActor> actors = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();

  /** The number of the operator's last change of a limit. */
  private long resizes;

  private Simulation(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.node = node("server", servers);
    this.checker = new SimChecker(world, plan.resources(), plan.restsLast());
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
    plan.resources().stream()
        .filter(resource -> resource.kind() == ResourceKind.SEMAPHORE)
        .forEach(this::letStrangersRenew);
    if (plan.forced() > 0 || node.isProtocol()) {
      Store operator = node.operator(this, random);
      setLimits(operator);
      for (int i = 0; i < plan.forced(); i++) {
        world.at(earlyNanos(), null, () -> force(operator));
      }
    }
  }

  private void begin(SimClient client, boolean crashes) {
    Lockkeeper keeper = client.connect(node, checker::heard);
    clients.add(client);
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
    if (node.isProtocol()) {
      checker.excuseAll(resource.name()); // nobody knows when it is carried out
    } else {
      checker.excuse(resource.name()); // claims that come from now on are not meant
    }
    operator
        .inspect(resource.id())
        .thenAccept(
            outcome -> {
              if (outcome instanceof Outcome.Answered<Inspection> answered) {
                force(operator, resource, answered.answer());
              }
            });
  }

  /** Forces those out who hold it, in several copies of one request of which some come late. */
  private void force(Store operator, SimResource resource, Inspection found) {
    long newest = found.holders().stream().mapToLong(Inspection.Holder::token).max().orElse(0);
    ForceRequest request = new ForceRequest(resource.id(), newest);
    for (int copies = random.nextInt(1, 4); copies > 0; copies--) {
      world.at(
          world.nowNanos() + random.nextLong(LATE_COPY_NANOS),
          null,
          () -> {
            world.trace(() -> "" + request);
            operator.forceRelease(request);
          });
    }
  }

  /** Lets clients renew permits of others that they have never read anything of. */
  private void letStrangersRenew(SimResource resource) {
    Store looker = node.calm(this, "looker-" + resource.id().name(), random);
    for (int i = 0; i < STRANGERS; i++) {
      Store stranger = node.calm(this, "stranger" + i + "-" + resource.id().name(), random);
      world.at(
          earlyNanos(),
          null,
          () ->
              looker
                  .inspect(resource.id())
                  .thenAccept(
                      outcome -> {
                        if (outcome instanceof Outcome.Answered<Inspection> answered) {
                          renew(stranger, resource, answered.answer());
                        }
                      }));
    }
  }

  /** Puts off the ends of all leases, by less than most have left. */
  private void renew(Store stranger, SimResource resource, Inspection found) {
    long leaseMillis = random.nextLong(1, plan.leaseMillis());
    List<RenewRequest> requests =
        found.holders().stream()
            .map(
                holder ->
                    new RenewRequest(
                        resource.id(), holder.clientId(), holder.grant(), leaseMillis, 0))
            .toList();
    world.trace(() -> "a stranger renews " + requests);
    stranger.renew(requests);
  }

  /** Sets the limits of semaphores for good, and gives them up, again and again. */
  private void setLimits(Store operator) {
    for (SimResource resource : plan.resources()) {
      if (node.isProtocol() && resource.kind() == ResourceKind.SEMAPHORE && random.nextBoolean()) {
        for (int i = random.nextInt(1, 9); i >= 0; i--) {
          boolean set = i % 2 != 0;
          world.at((20 - i) * earlyNanos() / 20, null, () -> resize(operator, resource, set));
        }
        long last = FAULTS_NANOS + NANOS_PER_MILLI;
        world.at(last, null, () -> resize(operator, resource, false));
      }
    }
  }

  private void resize(Store operator, SimResource resource, boolean set) {
    ResizeRequest.Kind kind = set ? ResizeRequest.Kind.SET : ResizeRequest.Kind.GIVE_UP;
    operator.resize(
        new ResizeRequest(
            resource.id(), ++resizes, kind, resource.limit(), resource.limit(), REMEMBER_MILLIS));
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
      Store inspector = node.calm(this, "inspector", random);
      plan.resources().forEach(resource -> nothingIsLeftOfTheLiving(resource, inspector));
      plan.resources().forEach(this::visit);
    }
    restOut(node);
  }

  /**
   * Checks that nothing is left of clients that live, and have ended all their waits and holds: no
   * claim in the queue, and no grant but those of fixed leases, which end by themselves. Where a
   * copy of a claim may come after its release there can be one more, for a lease.
   */
  private void nothingIsLeftOfTheLiving(SimResource resource, Store inspector) {
    Set<String> living =
        clients.stream()
            .filter(client -> !client.process().isCrashed())
            .flatMap(client -> client.ids().stream())
            .collect(Collectors.toSet());
    for (Inspection.Waiter waiter : inspect(inspector, resource).waiters()) {
      if (living.contains(waiter.clientId())) {
        throw new SimViolation("a claim of a wait that ended is in the queue: " + waiter);
      }
    }
    if (resource.kind() == ResourceKind.SEMAPHORE) {
      return; // strangers prolong fixed leases
    }
    world.at(world.nowNanos() + FIXED_ENDS_NANOS, null, () -> {});
    while (world.step()) {
      check();
    }
    for (Inspection.Holder holder : inspect(inspector, resource).holders()) {
      if (living.contains(holder.clientId())) {
        throw new SimViolation("a grant that was released is at the store: " + holder);
      }
    }
  }

  private Inspection inspect(Store inspector, SimResource resource) {
    var asked = inspector.inspect(resource.id()).toCompletableFuture();
    while (!asked.isDone() && world.step()) {
      check();
    }
    if (asked.join() instanceof Outcome.Answered<Inspection> answered) {
      return answered.answer();
    }
    throw new SimViolation("no answer at rest about " + resource);
  }

  /**
   * Takes all there is of a resource, and gives it back. What the dead have left, and those who
   * could not say that they are gone, must not be in the way for longer than it lasts; and the next
   * that comes clears it away.
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

package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Probe;
import io.lockkeeper.spi.TimeSource;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all runs: a world drawn from a seed, servers and clients that are begun in one
 * way, faults that stop after a while, and steps until everybody is done and all is at rest.
 */
abstract class SimRun {

  static final long NANOS_PER_MILLI = 1_000_000;

  /** How long things go wrong. */
  static final long FAULTS_NANOS = 20_000 * NANOS_PER_MILLI;

  /** How long after the last fault somebody may still wait for what has become of it. */
  static final long PATIENCE_NANOS = 60_000 * NANOS_PER_MILLI;

  /**
   * How far a clock's rate may be off, in parts per thousand; the promises allow one percent in
   * all.
   */
  private static final int MAX_DRIFT_PER_MILLE = 4;

  private static final int MAX_STEPS = 2_000_000;

  final long seed;
  final SplittableRandom random;
  SimPlan plan;
  final SimWorld world = new SimWorld();
  private final SimCoverage coverage;
  private boolean faulty;

  /**
   * The failures that an engine has kept from doing harm, and nobody here has thrown on purpose.
   */
  private @Nullable Throwable broken;

  private final Probe probe =
      new Probe() {
        @Override
        public void reached(Enum<?> transition) {
          coverage.reached(transition);
        }

        @Override
        public void failed(String what, Throwable failure) {
          if (!SimFault.isIn(failure) && broken == null) {
            broken = failure;
          }
        }
      };

  SimRun(long seed, SimCoverage coverage) {
    this.seed = seed;
    this.coverage = coverage;
    this.random = new SplittableRandom(seed);
    this.plan = SimPlan.draw(random);
    this.faulty = plan.isFaulty();
  }

  // ------------------------------------------------------------- what a run is about

  /** Begins clients and plans faults. */
  abstract void begin();

  /** Checks what must hold after every step. */
  void check() {}

  /** Returns whether everybody who is alive has done what he wanted. */
  abstract boolean isDone();

  /** Returns when nobody can still have an excuse for waiting. */
  abstract long stuckAfterNanos();

  /** Returns when four leases and the patience are over, after progress or the faults. */
  final long fourLeasesAfter(long progressNanos) {
    return Math.max(progressNanos, FAULTS_NANOS)
        + PATIENCE_NANOS
        + 4L * plan.leaseMillis() * NANOS_PER_MILLI;
  }

  /** Checks what must hold when everybody is done, and ends what would go on by itself. */
  void done() {}

  /** Checks what must hold when nothing is going to happen any more. */
  void atRest() {}

  // ------------------------------------------------------------- the frame

  /** Runs it to its end; throws a {@link SimViolation} with the seed if a promise is broken. */
  final void play() {
    try {
      begin();
      world.at(FAULTS_NANOS, null, () -> faulty = false);
      while (!isDone()) {
        stepOrFail();
      }
      done();
      while (world.step()) {
        failIfBroken();
        check();
        failIfEndless();
      }
      atRest();
    } catch (Throwable failure) { // also what nobody has declared
      throw new SimViolation(
          getClass().getSimpleName()
              + ", seed "
              + seed
              + ", step "
              + world.steps()
              + ", at "
              + world.nowNanos() / 1_000
              + " us: "
              + failure.getMessage()
              + "; "
              + plan,
          failure);
    }
  }

  /** Lets the next thing happen; somebody waits for it. */
  final void stepOrFail() {
    if (!world.step()) {
      throw new SimViolation("nothing is going to happen, and somebody still waits");
    }
    failIfBroken();
    check();
    if (world.nowNanos() > stuckAfterNanos()) {
      throw new SimViolation("nobody has got anywhere for long after the last fault");
    }
    failIfEndless();
  }

  private void failIfBroken() {
    if (broken != null) {
      throw new SimViolation("caught by an engine: " + broken, broken);
    }
  }

  private void failIfEndless() {
    if (world.steps() > MAX_STEPS) {
      throw new SimViolation("busy without end");
    }
  }

  final boolean isFaulty() {
    return faulty;
  }

  /** Returns a moment at which most runs are still busy. */
  final long earlyNanos() {
    return random.nextLong(FAULTS_NANOS / 20);
  }

  // ------------------------------------------------------------- who takes part

  /** Lets pass what the longest lease and the longest memory take, and finds the store empty. */
  final void restOut(SimNode node) {
    long leaseNanos = plan.leaseMillis() * NANOS_PER_MILLI;
    node.server().isQuiet(); // where there is no clock, leases run from when somebody looks
    world.at(world.nowNanos() + PATIENCE_NANOS + leaseNanos, null, () -> {});
    world.step();
    hasGivenAllBack(node);
  }

  /** Finds the store empty, before leases are over: for runs in which no client dies. */
  final void hasGivenAllBack(SimNode node) {
    if (!node.server().isQuiet()) {
      throw new SimViolation("something is left in the store");
    }
  }

  /** Begins a server whose clock drifts. */
  final SimNode node(String name, Function<TimeSource, SimServer> servers) {
    SimServer server = servers.apply(new SimProcess(world, name, rate()));
    if (server instanceof SimProtocol) {
      plan = plan.forProtocol();
    }
    return new SimNode(name, world, server);
  }

  /** Begins a client whose clock drifts. */
  final SimClient client(String name) {
    return new SimClient(this, new SimProcess(world, name, rate()), random.split());
  }

  private double rate() {
    return 1 + random.nextInt(-MAX_DRIFT_PER_MILLE, MAX_DRIFT_PER_MILLE + 1) / 1000.0;
  }

  /** Returns the machine as a process sees it. */
  final Environment environment(SimProcess process, SplittableRandom own) {
    return new Environment(process, process::scheduler, own.split(), probe, process::execute);
  }
}

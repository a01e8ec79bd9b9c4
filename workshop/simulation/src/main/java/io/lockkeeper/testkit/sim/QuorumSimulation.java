package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumOptions;
import io.lockkeeper.QuorumToken;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with a quorum: the callers of many clients take one lock at a majority of independent
 * servers, of which fewer than half are away for a while, or for good. No two have it at once,
 * tokens grow node by node, and everybody gets through.
 *
 * <p>No server forgets anything: a quorum does not survive that.
 */
public final class QuorumSimulation extends SimRun {

  private static final String NAME = "quorum";
  private static final int MAX_ACTORS = 2;
  private static final int LONGEST_FIXED_MILLIS = 2_000;

  /** Longer than any run. */
  private static final long FOR_GOOD_NANOS = 100 * FAULTS_NANOS;

  private final SimLedger<Taken> ledger;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<Caller> callers = new ArrayList<>();
  private final Duration nodeTimeout;
  private QuorumToken seen = QuorumToken.none();

  /** The lease that a caller got. */
  private record Taken(QuorumLease lease, QuorumToken token) {}

  private QuorumSimulation(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.ledger = new SimLedger<>(world);
    this.nodeTimeout = Duration.ofMillis(random.nextInt(20, 500));
    int count = random.nextBoolean() ? 3 : 5;
    for (int i = 0; i < count; i++) {
      nodes.add(node("server" + i, servers));
    }
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    QuorumSimulation simulation = new QuorumSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    QuorumOptions options = QuorumOptions.defaults().withNodeTimeout(nodeTimeout);
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      List<Lockkeeper> keepers = nodes.stream().map(client::connect).toList();
      for (int j = 0; j < Math.min(MAX_ACTORS, plan.actors()); j++) {
        Caller caller = new Caller(client, Lockkeeper.quorum(keepers).lock(NAME, options));
        callers.add(caller);
        caller.next();
      }
      if (i < plan.crashes()) {
        world.at(earlyNanos(), null, client::crash);
      }
    }
    if (isFaulty()) {
      nodes.subList(0, (nodes.size() - 1) / 2).forEach(this::fail);
    }
  }

  /** Keeps a server away now and then, or from some moment on. */
  private void fail(SimNode node) {
    if (random.nextInt(4) == 0) {
      world.at(earlyNanos(), null, () -> node.fail(FOR_GOOD_NANOS));
      return;
    }
    for (int times = random.nextInt(4); times > 0; times--) {
      long forNanos = random.nextLong(3_000 * NANOS_PER_MILLI);
      world.at(earlyNanos(), null, () -> node.fail(forNanos));
    }
  }

  @Override
  void check() {
    List<SimLedger.Entry<Taken>> valid = ledger.valid();
    if (valid.size() > 1) {
      throw new SimViolation(
          "held twice: " + valid.stream().map(entry -> entry.what.toString()).toList());
    }
  }

  @Override
  boolean isDone() {
    return callers.stream().allMatch(Caller::isDone);
  }

  @Override
  long stuckAfterNanos() {
    return fourLeasesAfter(ledger.progressNanos());
  }

  @Override
  void atRest() {
    nodes.stream().filter(node -> !node.isDown()).forEach(this::restOut);
  }

  private void see(QuorumToken token) {
    if (token.isOlderThan(seen)) {
      throw new SimViolation("token " + token + " after " + seen);
    }
    seen = seen.merge(token);
  }

  /** Takes the lock, holds it for a while, and again. */
  private final class Caller extends SimCaller<Taken> {

    private final QuorumLock lock;

    Caller(SimClient client, QuorumLock lock) {
      super(QuorumSimulation.this, client, ledger);
      this.lock = lock;
    }

    @Override
    void ask() {
      SimAsking.ask(
              process,
              own,
              lock::acquireAsync,
              SimAsking.options(own, 2 * plan.leaseMillis(), LONGEST_FIXED_MILLIS))
          .accept(this::settled);
    }

    private void settled(@Nullable QuorumLease lease) {
      if (lease == null) {
        holdsNothing();
        return;
      }
      QuorumToken token = lease.isValid() ? lease.token() : QuorumToken.none();
      see(token);
      holds(new Taken(lease, token), lease::isValid, lease::onLost, lease::release);
    }
  }
}

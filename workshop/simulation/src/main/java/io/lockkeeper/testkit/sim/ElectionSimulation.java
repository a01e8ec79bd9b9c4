package io.lockkeeper.testkit.sim;

import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Term;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with an election: the candidates of many clients lead in turn, resign, and close. No two
 * have a valid term at once, terms grow, each candidate learns of its terms and their ends in
 * turns, and everybody gets its terms.
 */
public final class ElectionSimulation extends SimRun {

  private static final String NAME = "election";

  private final SimLedger<Term> ledger;
  private final SimNode node;
  private final List<Candidate> candidates = new ArrayList<>();

  /** The largest token of a term that anybody was told of. */
  private long seen;

  /** The largest token that the server has given out. */
  private long given;

  /** Up to which token terms are excused, because the server was made to forget them. */
  private long excused;

  private ElectionSimulation(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.ledger = new SimLedger<>(world);
    this.node = node("server", servers);
    node.server().onGrant(grant -> given = grant.lastToken());
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    ElectionSimulation simulation = new ElectionSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      Lockkeeper keeper = client.connect(node);
      for (int j = 0; j < plan.actors(); j++) {
        Candidate candidate = new Candidate(client, keeper.leaderElection(NAME));
        candidates.add(candidate);
        candidate.begin();
      }
      if (i < plan.crashes()) {
        world.at(earlyNanos(), null, client::crash);
      }
    }
    for (int i = 0; i < plan.flushes(); i++) {
      world.at(earlyNanos(), null, this::flush);
    }
    Store operator = node.operator(this, random);
    for (int i = 0; i < plan.forced(); i++) {
      world.at(earlyNanos(), null, () -> force(operator));
    }
  }

  private void flush() {
    world.trace(() -> "flush");
    excused = given;
    node.server().flush();
  }

  private void force(Store operator) {
    world.trace(() -> "force");
    excused = given;
    if (operator.resources(Listing.all()).toCompletableFuture().join()
        instanceof Outcome.Answered<List<ResourceId>> answered) {
      answered
          .answer()
          .forEach(
              each ->
                  operator
                      .forceRelease(new ForceRequest(each, Long.MAX_VALUE))
                      .toCompletableFuture()
                      .join());
    }
  }

  @Override
  void check() {
    Term leading = null;
    for (SimLedger.Entry<Term> entry : ledger.valid()) {
      if (entry.what.token() > excused) {
        if (leading != null) {
          throw new SimViolation("two lead: " + leading + ", " + entry.what);
        }
        leading = entry.what;
      }
    }
  }

  @Override
  boolean isDone() {
    return candidates.stream().allMatch(Candidate::isDone);
  }

  @Override
  long stuckAfterNanos() {
    return fourLeasesAfter(ledger.progressNanos());
  }

  @Override
  void atRest() {
    restOut(node);
  }

  /** Stands, leads for a while, and resigns or is content and closes. */
  private final class Candidate implements LeaderListener {

    private final SimClient client;
    private final SimProcess process;
    private final LeaderElection election;
    private final SplittableRandom own;
    private int termsLeft = plan.rounds();
    private boolean closed;
    private SimLedger.@Nullable Entry<Term> reign;

    Candidate(SimClient client, LeaderElection election) {
      this.client = client;
      this.process = client.process();
      this.election = election;
      this.own = client.random().split();
    }

    void begin() {
      process.later(this::start, own.nextLong(20 * NANOS_PER_MILLI));
    }

    private void start() {
      election.start(this);
      if (own.nextInt(8) == 0) { // maybe while it stands
        process.later(this::close, own.nextLong(FAULTS_NANOS / 20));
      }
    }

    boolean isDone() {
      return process.isCrashed() || (closed && reign == null);
    }

    @Override
    public void elected(Term term) {
      if (reign != null) {
        throw new SimViolation("elected twice in a row: " + reign.what + ", " + term);
      }
      if (term.isValid()) {
        if (term.token() <= seen && term.token() > excused) {
          throw new SimViolation(term + " after " + seen);
        }
        seen = Math.max(seen, term.token());
      }
      reign = ledger.add(term, process, term::isValid);
      process.later(() -> finish(term), SimAsking.holdNanos(own, plan));
      if (isFaulty() && own.nextInt(100) < plan.pausePercent()) {
        process.stumble(own, 2L * plan.leaseMillis() * NANOS_PER_MILLI);
      }
      client.mayThrow();
    }

    private void finish(Term term) {
      if (reign == null || reign.what != term) {
        return; // lost since
      }
      termsLeft--;
      reign.tell(); // it knows
      if (termsLeft <= 0) {
        close();
      } else {
        election.resign();
      }
      if (term.isValid()) {
        throw new SimViolation("given up and still valid: " + term);
      }
    }

    private void close() {
      closed = true;
      election.close();
      if (election.isLeader()) {
        throw new SimViolation("closed and leads");
      }
      ledger.progress();
    }

    @Override
    public void lost(Term term) {
      if (reign == null || reign.what != term) {
        throw new SimViolation("told of the end of a term that has not begun: " + term);
      }
      if (term.isValid()) {
        throw new SimViolation("told of the end of a valid term: " + term);
      }
      ledger.remove(reign);
      reign = null;
      client.mayThrow();
    }

    @Override
    public void failed(LockkeeperException failure) {
      throw new SimViolation("a candidate failed", failure);
    }
  }
}

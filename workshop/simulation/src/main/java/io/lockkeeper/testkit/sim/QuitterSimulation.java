package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with a barrier whose members lose patience and come again later. Who has left must not be
 * counted, even if a copy of its request comes afterwards, and groups go on passing. A wait that
 * ends because of its limit has not been counted either: the others would have passed without it.
 */
public final class QuitterSimulation extends SimRun {

  private static final long SHORT_PAUSE_MILLIS = 200;
  private static final long LONG_PAUSE_MILLIS = 10_000;
  private static final String NAME = "barrier";

  /** It ends when so many groups have passed since the last fault. */
  private static final int LAST_GROUPS = 3;

  private final SimNode node;
  private final int parties;

  /** The claims that the store has counted, by client. */
  private final Map<String, Set<Long>> counted = new HashMap<>();

  private final Map<String, Waits> waitsOf = new HashMap<>();
  private final List<Member> members = new ArrayList<>();
  private int passes;
  private int passesSinceFaults;
  private boolean over;

  private QuitterSimulation(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.node = node("server", servers);
    this.parties = plan.clients() * plan.actors();
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    QuitterSimulation simulation = new QuitterSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    node.server()
        .onGrant(
            grant -> {
              world.trace(() -> "" + grant);
              if (node.isStray(grant)) {
                throw new SimViolation("counted although it was taken back: " + grant);
              }
              counted
                  .computeIfAbsent(grant.clientId(), client -> new HashSet<>())
                  .addAll(grant.claims());
            });
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      Lockkeeper keeper = client.connect(node);
      DistributedBarrier barrier = keeper.barrier(NAME, parties);
      Waits waits = new Waits();
      waitsOf.put(keeper.clientId(), waits);
      for (int j = 0; j < plan.actors(); j++) {
        Member member = new Member(client, barrier, waits);
        members.add(member);
        client.process().later(member::come, client.random().nextLong(50 * NANOS_PER_MILLI));
      }
    }
    world.at(lastNanos(), null, this::end);
  }

  /** Returns when it ends at the latest: callbacks may come three leases late. */
  private long lastNanos() {
    return fourLeasesAfter(0);
  }

  private void end() {
    over = true;
    members.forEach(Member::leave);
  }

  @Override
  boolean isDone() {
    return over;
  }

  @Override
  long stuckAfterNanos() {
    return lastNanos() + PATIENCE_NANOS;
  }

  @Override
  void atRest() {
    if (passesSinceFaults < parties) {
      throw new SimViolation(passes + " passes, " + passesSinceFaults + " since the last fault");
    }
    waitsOf.forEach(
        (client, waits) -> {
          int claims = counted.getOrDefault(client, Set.of()).size();
          if (claims > waits.begun - waits.timedOut) {
            throw new SimViolation(
                client
                    + ": "
                    + claims
                    + " claims were counted, of "
                    + waits.begun
                    + " waits "
                    + waits.timedOut
                    + " have timed out");
          }
        });
    hasGivenAllBack(node);
  }

  /** The waits of a client. */
  private static final class Waits {

    private int begun;
    private int timedOut;
  }

  /** Comes again and again, and sometimes does not wait for long. */
  private final class Member {

    private final SimProcess process;
    private final DistributedBarrier barrier;
    private final Waits waits;
    private final SplittableRandom own;
    private @Nullable CompletionStage<Void> passed;

    Member(SimClient client, DistributedBarrier barrier, Waits waits) {
      this.waits = waits;
      this.process = client.process();
      this.barrier = barrier;
      this.own = client.random().split();
    }

    private void come() {
      if (over) {
        return;
      }
      Duration wait =
          isFaulty() && own.nextInt(3) == 0
              ? Duration.ofMillis(own.nextInt(1, 2_000))
              : Duration.ofSeconds(30);
      waits.begun++;
      passed = barrier.awaitAsync(wait);
      passed.whenComplete(
          (none, failure) -> {
            waits.timedOut += failure instanceof AcquireTimeoutException ? 1 : 0;
            process.execute(() -> settled(failure == null));
          });
    }

    private void leave() {
      if (passed != null) {
        passed.toCompletableFuture().cancel(false);
      }
    }

    private void settled(boolean hasPassed) {
      passes += hasPassed ? 1 : 0;
      passesSinceFaults += hasPassed && !isFaulty() ? 1 : 0;
      if (passesSinceFaults == LAST_GROUPS * parties) {
        world.at(world.nowNanos(), null, QuitterSimulation.this::end);
      }
      long longestMillis = own.nextInt(4) == 0 ? LONG_PAUSE_MILLIS : SHORT_PAUSE_MILLIS;
      process.later(this::come, own.nextLong(longestMillis * NANOS_PER_MILLI));
    }
  }
}

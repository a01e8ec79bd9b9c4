package io.lockkeeper.testkit.sim;

import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One run with a barrier whose members lose patience and come again later. Who has left must not be
 * counted, even if a copy of its request comes afterwards, and groups go on passing.
 */
public final class QuitterSimulation extends SimRun {

  private static final long SHORT_PAUSE_MILLIS = 200;
  private static final long LONG_PAUSE_MILLIS = 10_000;
  private static final String NAME = "barrier";
  private static final long END_NANOS = FAULTS_NANOS + PATIENCE_NANOS;

  private final SimNode node;
  private final int parties;
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
            });
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      DistributedBarrier barrier = client.connect(node).barrier(NAME, parties);
      for (int j = 0; j < plan.actors(); j++) {
        Member member = new Member(client, barrier);
        client.process().later(member::come, client.random().nextLong(50 * NANOS_PER_MILLI));
      }
    }
    world.at(END_NANOS, null, () -> over = true);
  }

  @Override
  boolean isDone() {
    return over;
  }

  @Override
  long stuckAfterNanos() {
    return END_NANOS + PATIENCE_NANOS;
  }

  @Override
  void atRest() {
    if (passesSinceFaults < parties) {
      throw new SimViolation(passes + " passes, " + passesSinceFaults + " since the last fault");
    }
    restOut(node);
  }

  /** Comes again and again, and sometimes does not wait for long. */
  private final class Member {

    private final SimProcess process;
    private final DistributedBarrier barrier;
    private final SplittableRandom own;

    Member(SimClient client, DistributedBarrier barrier) {
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
      CompletionStage<Void> passed = barrier.awaitAsync(wait);
      passed.whenComplete((none, failure) -> process.execute(() -> settled(failure == null)));
      world.at(END_NANOS, null, () -> passed.toCompletableFuture().cancel(false));
    }

    private void settled(boolean hasPassed) {
      passes += hasPassed ? 1 : 0;
      passesSinceFaults += hasPassed && !isFaulty() ? 1 : 0;
      long longestMillis = own.nextInt(4) == 0 ? LONG_PAUSE_MILLIS : SHORT_PAUSE_MILLIS;
      process.later(this::come, own.nextLong(longestMillis * NANOS_PER_MILLI));
    }
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lockkeeper;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One caller in a simulated client: increments the counter, sets the value, counts the latch down,
 * and again.
 */
final class CellActor {

  static final String NAME = "cell";

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MAX_PAUSE_MILLIS = 4_000;

  private final SimProcess process;
  private final Lockkeeper keeper;
  private final SplittableRandom random;
  private final SimPlan plan;
  private final boolean countsDown;

  private int roundsLeft;
  private int started;
  private int finished;
  private long lastSeen;
  private long lastVersion;

  CellActor(SimClient client, Lockkeeper keeper, SimPlan plan, boolean countsDown) {
    this.process = client.process();
    this.keeper = keeper;
    this.random = client.random().split();
    this.plan = plan;
    this.countsDown = countsDown;
    this.roundsLeft = plan.rounds();
  }

  void start() {
    process.later(this::increment, random.nextLong(50 * NANOS_PER_MILLI));
  }

  boolean isDone() {
    return roundsLeft == 0 || process.isCrashed();
  }

  /** Returns how many increments it has asked for. */
  int started() {
    return started;
  }

  /** Returns how many it knows of that they were made. */
  int finished() {
    return finished;
  }

  /** Returns the version of the last value that it has set. */
  long lastVersion() {
    return lastVersion;
  }

  private void increment() {
    pauseSometimes();
    started++;
    then(keeper.counter(NAME).addAndGetAsync(1), this::incremented);
  }

  private void incremented(Long number) {
    finished++;
    if (number <= lastSeen) {
      throw new SimViolation("the counter fell from " + lastSeen + " to " + number);
    }
    lastSeen = number;
    byte[] value = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    then(keeper.sharedValue(NAME).setAsync(value), this::set);
  }

  private void set(Long version) {
    if (version <= lastVersion) {
      throw new SimViolation("version " + version + " after " + lastVersion);
    }
    lastVersion = version;
    if (countsDown) {
      then(keeper.countDownLatch(NAME).countDownAsync(), counted -> next());
    } else {
      next();
    }
  }

  private void next() {
    roundsLeft--;
    if (roundsLeft > 0) {
      process.later(this::increment, random.nextLong(20 * NANOS_PER_MILLI));
    }
  }

  /** Goes on in a step of its own, in which a violation is seen. */
  private <T> void then(CompletionStage<T> stage, Consumer<T> next) {
    stage.whenComplete(
        (answer, failure) ->
            process.execute(
                () -> {
                  if (failure != null) {
                    throw new SimViolation("a change failed", failure);
                  }
                  next.accept(answer);
                }));
  }

  private void pauseSometimes() {
    if (random.nextInt(100) < plan.pausePercent()) {
      process.stumble(random, MAX_PAUSE_MILLIS * NANOS_PER_MILLI);
    }
  }
}

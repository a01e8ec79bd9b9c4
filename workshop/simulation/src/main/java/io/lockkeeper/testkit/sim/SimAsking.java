package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.LeaseLostException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How callers ask for leases of any kind, wait for them, and give them back. */
final class SimAsking {

  private SimAsking() {}

  /** Draws a limit on the wait, or none, and a fixed lease, or none. */
  static AcquireOptions options(SplittableRandom random, int maxWaitMillis, int maxFixedMillis) {
    AcquireOptions options = AcquireOptions.defaults();
    int kind = random.nextInt(10);
    if (kind == 0) {
      options = options.withWait(Duration.ZERO);
    } else if (kind < 3) {
      options = options.withWait(Duration.ofMillis(random.nextInt(1, maxWaitMillis)));
    }
    if (random.nextInt(5) == 0) {
      options = options.withFixedLease(Duration.ofMillis(random.nextInt(50, maxFixedMillis)));
    }
    return options;
  }

  /** Receives a lease, or null if there is none, in a step of its process. */
  interface Settling<L> {
    void accept(Consumer<@Nullable L> next);
  }

  /** Asks for a lease, and sometimes gives up soon. */
  static <L> Settling<L> ask(
      SimProcess process,
      SplittableRandom random,
      Function<AcquireOptions, ? extends CompletionStage<L>> way,
      AcquireOptions options) {
    return next -> {
      CompletableFuture<L> future = way.apply(options).toCompletableFuture();
      CompletableFuture<L> settled =
          future.whenComplete(
              (lease, failure) ->
                  process.execute(() -> next.accept(failure == null ? lease : null)));
      if (random.nextInt(10) == 0) {
        process.later(() -> cancel(future, settled), random.nextLong(30 * SimRun.NANOS_PER_MILLI));
      }
    };
  }

  private static void cancel(CompletableFuture<?> future, CompletableFuture<?> settled) {
    if (!settled.isDone()) {
      future.cancel(false);
    }
  }

  /** Draws how long a lease is held: mostly for a moment, sometimes for longer than it lasts. */
  static long holdNanos(SplittableRandom random, SimPlan plan) {
    return random.nextInt(12) == 0
        ? random.nextLong(3L * plan.leaseMillis() * SimRun.NANOS_PER_MILLI / 2)
        : random.nextLong(4 * SimRun.NANOS_PER_MILLI);
  }

  /** Gives something back, which must fail exactly if it is not valid. */
  static void release(boolean valid, Runnable release, Object what) {
    try {
      release.run();
      if (!valid) {
        throw new SimViolation("the release of an invalid lease went unnoticed: " + what);
      }
    } catch (LeaseLostException loss) {
      if (valid) {
        throw new SimViolation("a valid lease was refused its release: " + what, loss);
      }
    }
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A caller in a simulated process: asks for leases, holds them for a while, gives them back. */
final class SimActor {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The longest time that a loop has a lease, and the longest between two. */
  private static final long MOMENT_NANOS = 50_000;

  private final SimClient client;
  private final SimProcess process;
  private final Lockkeeper keeper;
  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimChecker checker;

  /** How often it asks only once, in percent. */
  private final int oncePercent;

  /** The longest time between a lease and the next request: names may fall idle in it. */
  private final long longestBreakNanos;

  /** True if it mostly does next to nothing with a lease, and then asks for the same resource. */
  private final boolean loops;

  private @Nullable SimWish lastWish;

  private int roundsLeft;

  /** How many releases are to be confirmed. */
  private int unconfirmed;

  private boolean waiting;
  private boolean knowsLoss;

  SimActor(SimClient client, Lockkeeper keeper, SimPlan plan, SimChecker checker) {
    this.client = client;
    this.process = client.process();
    this.keeper = keeper;
    this.random = client.random().split();
    this.plan = plan;
    this.checker = checker;
    this.roundsLeft = plan.rounds();
    this.oncePercent = Math.max(10 * plan.hasty(), random.nextInt(4) == 0 ? 80 : 10);
    this.loops = random.nextInt(4) == 0;
    long breakMillis = random.nextInt(4) == 0 ? 3_000 : 10;
    this.longestBreakNanos = loops ? MOMENT_NANOS : breakMillis * NANOS_PER_MILLI;
  }

  SimProcess process() {
    return process;
  }

  boolean isDone() {
    return process.isCrashed() || (roundsLeft == 0 && !waiting && unconfirmed == 0);
  }

  boolean knowsLoss() {
    return knowsLoss;
  }

  void start() {
    process.later(this::ask, random.nextLong(20 * NANOS_PER_MILLI));
  }

  private void ask() {
    if (roundsLeft == 0) {
      return;
    }
    roundsLeft--;
    waiting = true;
    knowsLoss = false;
    SimWish wish = nextWish();
    CompletableFuture<? extends Lease> future = wish.ask(keeper, random, options());
    CompletableFuture<? extends Lease> settled =
        future.whenComplete((lease, failure) -> process.execute(() -> settled(wish, lease)));
    if (random.nextInt(10) == 0) {
      process.later(() -> cancel(future, settled), random.nextLong(30 * NANOS_PER_MILLI));
    }
  }

  private SimWish nextWish() {
    SimWish last = lastWish;
    int chance = loops && last != null ? random.nextInt(4) : 0;
    if (last == null || chance == 0) {
      last = SimWish.draw(plan.resources().get(random.nextInt(plan.resources().size())), random);
    } else if (chance == 1) {
      last = SimWish.draw(last.resource(), random); // perhaps for more or less of it
    }
    lastWish = last;
    return last;
  }

  private static void cancel(CompletableFuture<?> future, CompletableFuture<?> settled) {
    if (!settled.isDone()) {
      future.cancel(false);
    }
  }

  private AcquireOptions options() {
    AcquireOptions options = AcquireOptions.defaults();
    if (random.nextInt(100) < oncePercent) {
      options = options.withWait(Duration.ZERO);
    } else if (random.nextInt(5) == 0) {
      options = options.withWait(Duration.ofMillis(random.nextInt(1, 2 * plan.leaseMillis())));
    }
    if (random.nextInt(5) == 0) {
      options = options.withFixedLease(Duration.ofMillis(random.nextInt(50, 2_000)));
    }
    return options;
  }

  private void settled(SimWish wish, @Nullable Lease lease) {
    if (lease == null) {
      waiting = false;
      checker.refused();
      process.later(this::ask, random.nextLong(longestBreakNanos));
      return;
    }
    checker.acquired(this, wish, lease);
    lease.onLost(
        loss -> {
          knowsLoss = true;
          checker.lost();
          client.mayThrow();
        });
    long holdNanos = holdNanos();
    if (lease instanceof PermitLease permits) {
      process.later(() -> releaseSome(permits), random.nextLong(holdNanos + 1));
    }
    process.later(() -> release(lease), holdNanos);
    if (random.nextInt(100) < plan.pausePercent()) {
      process.stumble(random, 2L * plan.leaseMillis() * NANOS_PER_MILLI);
    }
  }

  /** Gives a part of several permits back. */
  private void releaseSome(PermitLease lease) {
    if (lease.permits() > 1 && lease.isValid()) {
      int before = lease.permits();
      int part = random.nextInt(1, before);
      lease.release(part);
      if (lease.permits() != before - part) {
        throw new SimViolation(part + " of " + before + " given back, and left are " + lease);
      }
    }
  }

  private long holdNanos() {
    if (loops && random.nextInt(4) > 0) {
      return random.nextLong(MOMENT_NANOS);
    }
    return random.nextInt(12) == 0
        ? random.nextLong(3L * plan.leaseMillis() * NANOS_PER_MILLI / 2)
        : random.nextLong(4 * NANOS_PER_MILLI);
  }

  private void release(Lease lease) {
    boolean valid = lease.isValid();
    try {
      letGo(lease);
      if (!valid) {
        throw new SimViolation("the release of an invalid lease went unnoticed: " + lease);
      }
    } catch (LeaseLostException loss) {
      if (valid) {
        throw new SimViolation("a valid lease was refused its release: " + lease, loss);
      }
    }
    checker.released(lease);
    waiting = false;
    process.later(this::ask, random.nextLong(longestBreakNanos));
  }

  /** Releases a lease; some callers want to know when the store knows of it, and must hear. */
  private void letGo(Lease lease) {
    if (!lease.isValid() || random.nextInt(3) > 0) {
      lease.release();
      return;
    }
    unconfirmed++;
    if (lease.kind().isExclusive() && random.nextInt(4) == 0) {
      letRest(lease);
      return;
    }
    CompletionStage<Void> confirmed = lease.releaseAsync();
    confirmed.whenComplete((done, failure) -> process.execute(() -> confirmed(lease, failure)));
  }

  /** Keeps the lock closed for a while; whether the store heard of that in time may be unknown. */
  private void letRest(Lease lease) {
    Duration rest = Duration.ofMillis(random.nextLong(plan.leaseMillis()));
    long begun = checker.nowNanos();
    CompletionStage<Void> resting = lease.releaseAfterAsync(rest);
    resting.whenComplete(
        (done, failure) ->
            process.execute(
                () -> {
                  Throwable why =
                      failure instanceof CompletionException ? failure.getCause() : failure;
                  boolean isUnknown =
                      why instanceof StoreUnavailableException || why instanceof LeaseLostException;
                  confirmed(lease, isUnknown ? null : failure);
                  if (failure == null) {
                    checker.rests(lease, begun + rest.toNanos() * 98 / 100); // clocks drift
                  }
                }));
  }

  private void confirmed(Lease lease, @Nullable Throwable failure) {
    unconfirmed--;
    checker.confirmed();
    if (failure != null) {
      throw new SimViolation("a valid lease was refused its release: " + lease, failure);
    }
  }
}

package io.lockkeeper.testkit.sim;

import io.lockkeeper.LeaseLost;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A caller that takes something made of several leases, holds it for a while, gives it back, and
 * does so again as often as the plan says.
 *
 * @param <T> what the ledger keeps of it
 */
abstract class SimCaller<T> {

  final SimProcess process;
  final SplittableRandom own;
  private final SimClient client;
  private final SimRun run;
  private final SimLedger<T> ledger;
  private int roundsLeft;
  private boolean busy;

  SimCaller(SimRun run, SimClient client, SimLedger<T> ledger) {
    this.client = client;
    this.process = client.process();
    this.own = client.random().split();
    this.run = run;
    this.ledger = ledger;
    this.roundsLeft = run.plan.rounds();
  }

  /** Asks; {@link #holds} or {@link #holdsNothing} follows in a step of the process. */
  abstract void ask();

  final boolean isDone() {
    return process.isCrashed() || (roundsLeft == 0 && !busy);
  }

  /** Asks soon, unless it has asked often enough. */
  final void next() {
    busy = false;
    process.later(
        () -> {
          if (roundsLeft > 0) {
            roundsLeft--;
            busy = true;
            ask();
          }
        },
        own.nextLong(10 * SimRun.NANOS_PER_MILLI));
  }

  final void holdsNothing() {
    ledger.progress();
    next();
  }

  /**
   * Records something that was acquired.
   *
   * @param onLost is given what to do when it is lost
   */
  final void holds(
      T what, BooleanSupplier isValid, Consumer<Consumer<LeaseLost>> onLost, Runnable release) {
    SimLedger.Entry<T> entry = ledger.add(what, process, isValid);
    onLost.accept(
        loss -> {
          entry.tell();
          client.mayThrow();
        });
    process.later(
        () -> {
          SimAsking.release(isValid.getAsBoolean(), release, what);
          ledger.remove(entry);
          next();
        },
        SimAsking.holdNanos(own, run.plan));
    if (run.isFaulty() && own.nextInt(100) < run.plan.pausePercent()) {
      process.stumble(own, 2L * run.plan.leaseMillis() * SimRun.NANOS_PER_MILLI);
    }
  }
}

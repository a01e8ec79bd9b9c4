package io.lockkeeper.testkit.sim;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The process of one client, for a store that is simulated with its own requests. */
public final class SimHost {

  private final SimRun run;
  private final SimProcess process;
  private final SplittableRandom random;
  private final boolean isCalm;

  /**
   * Creates it.
   *
   * @param isCalm whether nothing goes wrong with its connections
   */
  SimHost(SimRun run, SimProcess process, SplittableRandom random, boolean isCalm) {
    this.run = run;
    this.process = process;
    this.random = random;
    this.isCalm = isCalm;
  }

  /** Returns the true time. */
  public long nowNanos() {
    return run.world.nowNanos();
  }

  /** Plans something that does not happen in this process. */
  public void inWorld(long delayNanos, Runnable task) {
    run.world.at(nowNanos() + delayNanos, null, task);
  }

  /** Plans something that comes to this process from outside: it waits while the process does. */
  public void inProcess(long delayNanos, Runnable task) {
    run.world.at(nowNanos() + delayNanos, process, task);
  }

  /** Returns a clock of this process that stands still while its machine is suspended. */
  public long steadyNanos() {
    return process.steadyNanos();
  }

  /** Returns whether it has neither died nor stopped for a while. */
  public boolean isRunning() {
    return !process.isCrashed() && process.pausedUntilNanos() <= nowNanos();
  }

  /** Returns whether things go wrong now. */
  public boolean isDisturbed() {
    return run.isFaulty() && !isCalm;
  }

  /** Returns how often something goes wrong. */
  public int lossPercent() {
    return run.plan.lossPercent();
  }

  /** Returns the network's typical one-way latency. */
  public int latencyMicros() {
    return run.plan.latencyMicros();
  }

  /** Returns when a request without an answer is given up. */
  public int timeoutMillis() {
    return run.plan.timeoutMillis();
  }

  /** Returns the process's own source of randomness. */
  public SplittableRandom random() {
    return random;
  }

  /** Prints a line about what happens, if that is wanted. */
  public void trace(Supplier<String> line) {
    run.world.trace(line);
  }

  @Override
  public String toString() {
    return process.toString();
  }
}

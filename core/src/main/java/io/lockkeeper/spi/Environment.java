package io.lockkeeper.spi;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The services of the machine that the engine uses. A simulation replaces all of them.
 *
 * @param time measures intervals
 * @param schedulers creates the scheduler of one client, which that client closes
 * @param random for jitter and client ids
 * @param probe receives the engine's transitions
 * @param callbacks runs user code that the client's executor does not run; null for threads that
 *     each client makes for itself
 */
public record Environment(
    TimeSource time,
    Supplier<Scheduler> schedulers,
    RandomGenerator random,
    Probe probe,
    @Nullable Executor callbacks) {

  /** Creates an environment without a probe. */
  public Environment(TimeSource time, Supplier<Scheduler> schedulers, RandomGenerator random) {
    this(time, schedulers, random, Probe.NONE, null);
  }
}

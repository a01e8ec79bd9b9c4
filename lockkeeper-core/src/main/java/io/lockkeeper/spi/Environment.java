package io.lockkeeper.spi;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the engine needs from the machine: replaced as a whole by a simulation.
 *
 * @param time measures intervals
 * @param schedulers makes the scheduler of one client, which that client closes
 * @param random for jitter and client ids
 * @param probe hears what the engine goes through
 * @param callbacks runs user code that the client's executor does not run; null for threads that
 *     each client makes for itself
 */
public record Environment(
    TimeSource time,
    Supplier<Scheduler> schedulers,
    RandomGenerator random,
    Probe probe,
    @Nullable Executor callbacks) {

  /** Creates one that nobody watches. */
  public Environment(TimeSource time, Supplier<Scheduler> schedulers, RandomGenerator random) {
    this(time, schedulers, random, Probe.NONE, null);
  }
}

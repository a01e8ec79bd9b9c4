package io.lockkeeper.spi;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the engine needs from the machine: replaced as a whole by a simulation.
 *
 * @param time measures intervals
 * @param schedulers makes the scheduler of one client, which that client closes
 * @param random for jitter and client ids
 * @param probe hears what the engine goes through
 */
public record Environment(
    TimeSource time, Supplier<Scheduler> schedulers, RandomGenerator random, Probe probe) {

  /** Creates one that nobody watches. */
  public Environment(TimeSource time, Supplier<Scheduler> schedulers, RandomGenerator random) {
    this(time, schedulers, random, Probe.NONE);
  }
}

package io.lockkeeper.lab.oversell.strategy;

import java.time.Duration;

/**
 * What a strategy knows about the worker process that it runs in.
 *
 * @param storeUrl the store; may hold a password
 * @param stockUrl the store where the stock is, mostly the same; may hold a password
 * @param worker the process's number, from 1
 * @param seed for whatever is random in it; differs between processes
 * @param lease of locks that have one, and the time to live of what is cached
 * @param points what hears where orders are
 */
public record GuardContext(
    String storeUrl, String stockUrl, int worker, long seed, Duration lease, Points points) {

  private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

  /** One store for all, and nobody who listens. */
  public GuardContext(String storeUrl, int worker, long seed) {
    this(storeUrl, storeUrl, worker, seed, USUAL_LEASE, Points.NONE);
  }

  @Override
  public String toString() {
    return "GuardContext[worker=" + worker + ", seed=" + seed + "]";
  }
}

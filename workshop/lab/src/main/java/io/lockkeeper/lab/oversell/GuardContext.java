package io.lockkeeper.lab.oversell;

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

  @Override
  public String toString() {
    return "GuardContext[worker=" + worker + ", seed=" + seed + "]";
  }
}

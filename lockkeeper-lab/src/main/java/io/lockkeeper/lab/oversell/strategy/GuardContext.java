package io.lockkeeper.lab.oversell.strategy;

/**
 * What a strategy is told about the worker process that it runs in.
 *
 * @param storeUrl the store; may hold a password
 * @param worker the process's number, from 1
 * @param seed for whatever is random in it; differs between processes
 */
public record GuardContext(String storeUrl, int worker, long seed) {

  @Override
  public String toString() {
    return "GuardContext[worker=" + worker + ", seed=" + seed + "]";
  }
}

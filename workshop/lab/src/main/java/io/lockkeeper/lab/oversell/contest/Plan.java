package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.strategy.Strategy;
import java.time.Duration;
import java.util.List;

/**
 * What a contest does.
 *
 * @param strategies one row each, in this order
 * @param processes how many worker processes
 * @param threads how many threads in each
 * @param orders how many orders by each thread
 * @param stock how many pieces there are at first
 * @param warmUp how long each strategy runs before it is measured
 * @param seed for whatever is random
 */
public record Plan(
    List<Strategy> strategies,
    int processes,
    int threads,
    int orders,
    long stock,
    Duration warmUp,
    long seed) {

  /** Copies. */
  public Plan {
    strategies = List.copyOf(strategies);
  }

  /** Returns how many orders all threads of all processes make. */
  public long totalOrders() {
    return (long) processes * threads * orders;
  }

  /** Returns in how many processes this strategy runs. */
  public int processesFor(Strategy strategy) {
    return strategy.scope() == Strategy.Scope.ONE_PROCESS ? 1 : processes;
  }

  /** Returns how many threads each process has for this strategy: the total is always the same. */
  public int threadsFor(Strategy strategy) {
    return processes * threads / processesFor(strategy);
  }
}

package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.strategy.Strategy;

/** Hears how a contest goes on. Called by one thread. */
public interface Progress {

  /** Something takes a moment: starting, warming up. */
  void phase(Strategy strategy, String what);

  /** So many orders are done. */
  void orders(Strategy strategy, long done, long planned, long elapsedNanos);

  /** A row is complete. */
  void finished(VariantResult result);
}

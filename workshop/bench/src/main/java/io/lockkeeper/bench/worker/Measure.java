package io.lockkeeper.bench.worker;

/** Which time a contest measures. */
public enum Measure {
  /** From the call of lock until it returns. */
  WAIT,
  /** From the call of lock until unlock has returned. */
  PAIR
}

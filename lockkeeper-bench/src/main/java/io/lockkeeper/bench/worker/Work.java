package io.lockkeeper.bench.worker;

/** What a thread does while it holds the lock. */
public enum Work {
  /** Nothing: the cost of the lock alone. */
  NONE,
  /** An order's own work: reads the stock from Redis and writes it back changed. */
  ORDER
}

package io.lockkeeper.redis;

import io.lockkeeper.spi.support.StoreUrl;
import java.time.Duration;

/**
 * How many replicas must have a grant before it counts.
 *
 * @param replicas how many; 0 for none
 * @param timeout how long to wait for them
 */
record Replication(int replicas, Duration timeout) {

  static final Replication NONE = new Replication(0, Duration.ofSeconds(1));

  /** Checks them against the time limit of a call, in which the wait must have room. */
  Replication checked(Duration callTimeout) {
    if (replicas < 0) {
      throw new IllegalArgumentException("replicas must not be negative, was " + replicas);
    }
    if (replicas > 0) {
      StoreUrl.checkLimit("replicaTimeout", timeout);
    }
    if (replicas > 0 && timeout.compareTo(callTimeout) >= 0) {
      throw new IllegalArgumentException(
          "replicaTimeout ("
              + timeout.toMillis()
              + " ms) must be shorter than timeout ("
              + callTimeout.toMillis()
              + " ms)");
    }
    return this;
  }

  boolean isNeeded() {
    return replicas > 0;
  }
}

package io.lockkeeper.lab.check;

import java.time.Duration;

/**
 * What the promises that speak of time and number come to in a run.
 *
 * @param idleLimit how long a resource may be free while somebody waits for it and nothing is wrong
 * @param waitLimit how long a request may wait while nothing is wrong
 * @param fairGap how much later a request must have begun to be surely later at the store
 * @param recovery how long after a fault its consequences may last
 * @param maxBypass how many others may be admitted during one wait for a lock in default mode
 */
public record CheckSettings(
    Duration idleLimit, Duration waitLimit, Duration fairGap, Duration recovery, long maxBypass) {

  /** As {@code LockOptions.DEFAULT_LOCAL_PASSES} and {@code Store.MAX_BATCH} together, and some. */
  private static final int PASSES = 64 + 32 + 1;

  /** How often the first in line in its client is overtaken. */
  private static final int OVERTAKINGS = 16;

  /** Returns settings for a run of so many clients with so many threads each. */
  public static CheckSettings of(int clients, int threads) {
    long inClient = (long) threads * (OVERTAKINGS + 1) + 2L * PASSES;
    return new CheckSettings(
        Duration.ofSeconds(5),
        Duration.ofSeconds(20),
        Duration.ofSeconds(2),
        Duration.ofSeconds(8),
        2L * clients * inClient);
  }

  /** Returns a copy with other limits to waiting. */
  public CheckSettings withWaits(Duration newIdleLimit, Duration newWaitLimit) {
    return new CheckSettings(newIdleLimit, newWaitLimit, fairGap, recovery, maxBypass);
  }

  /** Returns a copy with another time of recovery and another gap. */
  public CheckSettings withRecovery(Duration newRecovery, Duration newFairGap) {
    return new CheckSettings(idleLimit, waitLimit, newFairGap, newRecovery, maxBypass);
  }
}

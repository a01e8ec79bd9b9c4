package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.ClockDrift;

/**
 * Compares two clocks, for grants that are pushed: keeps the store's clock at its last answer, and
 * this client's when it asked. What the store decides later, it decides no earlier, on this
 * client's clock, than the latter plus the difference on the store's.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class ClockComparison {

  private long storeMicros;
  private long askedNanos;

  /** Notes a pair of readings. */
  void read(long micros, long sentNanos) {
    storeMicros = micros;
    askedNanos = sentNanos;
  }

  /**
   * Returns a moment that is not later than the store's {@code decidedMicros}.
   *
   * @param bornNanos a moment that is surely earlier, also without a common measure of time
   */
  long earliest(long decidedMicros, long bornNanos, long now) {
    if (storeMicros == 0) {
      return bornNanos;
    }
    // Below zero: the decision was written down after the last answer, which did not show it yet.
    long elapsedNanos = (decidedMicros - storeMicros) * 1_000;
    long decided = askedNanos + elapsedNanos - ClockDrift.drift(Math.abs(elapsedNanos));
    return Math.min(now, Math.max(bornNanos, decided));
  }
}

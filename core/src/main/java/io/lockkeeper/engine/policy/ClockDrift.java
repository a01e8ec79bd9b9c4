package io.lockkeeper.engine.policy;

/**
 * Says how much earlier than the store a client believes a lease to end: one percent for clocks
 * that run at different rates, and two milliseconds for the coarseness of the store's.
 */
public final class ClockDrift {

  private static final long FIXED_NANOS = 2_000_000;

  private ClockDrift() {}

  /** Returns by how much a client shortens a lease of this length. */
  public static long margin(long leaseNanos) {
    return drift(leaseNanos) + FIXED_NANOS;
  }

  /** Returns by how much two clocks may disagree about the length of a time. */
  public static long drift(long nanos) {
    return nanos / 100;
  }

  /** Returns until when a lease counted from {@code sinceNanos} may be relied on. */
  public static long validUntil(long sinceNanos, long leaseNanos) {
    return sinceNanos + leaseNanos - margin(leaseNanos);
  }
}

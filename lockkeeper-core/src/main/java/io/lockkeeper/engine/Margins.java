package io.lockkeeper.engine;

/**
 * How much earlier than the store this client believes a lease to end: one percent for clocks that
 * run at different rates, and two milliseconds for the coarseness of the store's.
 */
final class Margins {

  /** An instant that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long FIXED_NANOS = 2_000_000;

  private Margins() {}

  static long of(long leaseNanos) {
    return drift(leaseNanos) + FIXED_NANOS;
  }

  /** Returns by how much two clocks may disagree about the length of a time. */
  static long drift(long nanos) {
    return nanos / 100;
  }

  /** Returns until when a lease counted from {@code sinceNanos} may be relied on. */
  static long validUntil(long sinceNanos, long leaseNanos) {
    return sinceNanos + leaseNanos - of(leaseNanos);
  }
}

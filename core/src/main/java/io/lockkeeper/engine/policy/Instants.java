package io.lockkeeper.engine.policy;

/** Instants on the client's clock, in nanoseconds. */
public final class Instants {

  /** An instant that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long SWEEP_NANOS = 250_000_000;

  private Instants() {}

  /** Returns the instant so long after another, or {@link #NEVER} if that is too far away. */
  public static long after(long nowNanos, long waitNanos) {
    long after = nowNanos + waitNanos;
    return waitNanos > 0 && after < nowNanos ? NEVER : after;
  }

  /**
   * Returns when to drop what may be dropped from an instant on: a little later, together with
   * others. A scan looks at everything that a client has, and a client that uses many names in turn
   * would do that each time one of them is no longer needed.
   */
  public static long sweepAfter(long nanos) {
    return nanos + Math.floorMod(-nanos, SWEEP_NANOS);
  }
}

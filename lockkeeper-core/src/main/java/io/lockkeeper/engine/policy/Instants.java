package io.lockkeeper.engine.policy;

/** Instants on the client's clock, in nanoseconds. */
public final class Instants {

  /** An instant that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  private Instants() {}

  /** Returns the instant so long after another, or {@link #NEVER} if that is too far away. */
  public static long after(long nowNanos, long waitNanos) {
    return waitNanos >= NEVER - nowNanos ? NEVER : nowNanos + waitNanos;
  }
}

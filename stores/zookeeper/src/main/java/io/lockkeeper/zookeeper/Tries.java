package io.lockkeeper.zookeeper;

import org.jspecify.annotations.Nullable;

/**
 * How often a step has been tried.
 *
 * @param left how often it may be tried again
 * @param firstNanos when the first attempt was decided that was lost to somebody quicker
 * @param base what the last lost attempt was decided on
 * @param stalemates how often in a row that could not be written
 */
record Tries(int left, long firstNanos, @Nullable Snapshot base, int stalemates) {

  private static final int MOST_ATTEMPTS = 1_000;

  /** How often a step may fail on the same nodes until it is their fault, and no lost race. */
  private static final int MOST_STALEMATES = 12;

  /** After how many lost races it waits for a random moment, so that not all race again. */
  static final int PATIENT_FAILURES = 3;

  static final Tries FIRST = new Tries(MOST_ATTEMPTS, 0, null, 0);
  static final Tries ONLY = new Tries(0, 0, null, 0);

  Tries lost(Snapshot to, long now) {
    boolean isSame = to.equals(base);
    return new Tries(left - 1, base == null ? now : firstNanos, to, isSame ? stalemates + 1 : 1);
  }

  int failures() {
    return MOST_ATTEMPTS - left;
  }

  /** Returns how long it has been racing; a wrong guess or two are no race. */
  long lostNanos(long now) {
    return left > 0 && failures() >= PATIENT_FAILURES ? now - firstNanos : 0;
  }

  /** Returns whether it fails on the same nodes again and again. */
  boolean isHopeless() {
    return base != null && base.exists() && stalemates > MOST_STALEMATES;
  }
}

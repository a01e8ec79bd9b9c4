package io.lockkeeper.compose;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One limit on a wait in several parts.
 *
 * @param host whose clock measures it
 * @param limitNanos how long it was at first; zero or less asks once; {@link #UNLIMITED}
 * @param deadlineNanos when it is over
 */
record Deadline(Host host, long limitNanos, long deadlineNanos) {

  private static final long UNLIMITED = Long.MAX_VALUE;

  /** Begins a wait; without a limit if that is null. */
  static Deadline begin(Host host, @Nullable Duration limit) {
    return begin(host, limit == null ? UNLIMITED : nanos(limit));
  }

  static Deadline begin(Host host, long limitNanos) {
    long now = host.nanos();
    boolean isUnlimited = limitNanos >= UNLIMITED - Math.max(0, now);
    return isUnlimited
        ? new Deadline(host, UNLIMITED, UNLIMITED)
        : new Deadline(host, Math.max(0, limitNanos), now + Math.max(0, limitNanos));
  }

  private static long nanos(Duration limit) {
    try {
      return limit.toNanos();
    } catch (ArithmeticException tooLong) {
      return limit.isNegative() ? 0 : UNLIMITED;
    }
  }

  boolean isUnlimited() {
    return limitNanos == UNLIMITED;
  }

  /** Returns whether each part is asked once, without waiting. */
  boolean asksOnce() {
    return limitNanos == 0;
  }

  /** Returns whether a wait that had time has none left. */
  boolean isOver() {
    return !asksOnce() && !isUnlimited() && leftNanos() <= 0;
  }

  long leftNanos() {
    return isUnlimited() ? UNLIMITED : asksOnce() ? 0 : deadlineNanos - host.nanos();
  }

  Duration left() {
    return Duration.ofNanos(leftNanos());
  }

  Duration limit() {
    return Duration.ofNanos(limitNanos);
  }
}

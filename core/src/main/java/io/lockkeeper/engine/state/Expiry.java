package io.lockkeeper.engine.state;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Keeps the instant at which something is over. It can be moved until somebody has seen that it has
 * come; from then on it stays where it is, so that nobody who has seen the end sees it undone.
 *
 * <p>Moved under the coordinator's mutex, asked by any thread.
 */
final class Expiry {

  /** Set in {@link #nanos} once somebody has seen that it has come. */
  private static final long SEEN = 1;

  private static final AtomicLongFieldUpdater<Expiry> NANOS =
      AtomicLongFieldUpdater.newUpdater(Expiry.class, "nanos");

  private volatile long nanos;

  Expiry(long nanos) {
    this.nanos = nanos & ~SEEN;
  }

  /** Returns the instant. */
  long nanos() {
    return nanos & ~SEEN;
  }

  /** Returns whether it is still to come. If not, it cannot be moved any more. */
  boolean isAhead(long nowNanos) {
    while (true) {
      long known = nanos;
      if ((known & SEEN) != 0) {
        return false;
      } else if (nowNanos < known) {
        return true;
      } else if (NANOS.compareAndSet(this, known, known | SEEN)) {
        return false;
      }
    }
  }

  /** Moves it; returns false, and changes nothing, if somebody has seen that it has come. */
  boolean moveTo(long newNanos) {
    long known = nanos;
    return (known & SEEN) == 0 && NANOS.compareAndSet(this, known, newNanos & ~SEEN);
  }
}

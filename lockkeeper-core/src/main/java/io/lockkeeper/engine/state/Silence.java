package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;

/**
 * Measures for how long a store has left questions unanswered.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class Silence {

  /** When the first of a row of unanswered questions failed, or {@link Instants#NEVER}. */
  private long sinceNanos = Instants.NEVER;

  /** Notes an answer. */
  void end() {
    sinceNanos = Instants.NEVER;
  }

  /** Notes a question without an answer. */
  void goOn(long now) {
    sinceNanos = Math.min(sinceNanos, now);
  }

  boolean isGoingOn() {
    return sinceNanos != Instants.NEVER;
  }

  /** Returns whether it has lasted for so long. */
  boolean hasLasted(long nanos, long now) {
    return sinceNanos != Instants.NEVER && now - sinceNanos >= nanos;
  }
}

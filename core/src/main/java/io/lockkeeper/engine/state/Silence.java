package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import org.jspecify.annotations.Nullable;

/**
 * Measures for how long a store has left questions unanswered.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class Silence {

  /** When the first of a row of unanswered questions failed, or {@link Instants#NEVER}. */
  private long sinceNanos = Instants.NEVER;

  /** Why the last of them was not answered. */
  private @Nullable Throwable cause;

  /** Notes an answer. */
  void end() {
    sinceNanos = Instants.NEVER;
    cause = null;
  }

  /** Notes a question without an answer. */
  void goOn(Throwable why, long now) {
    sinceNanos = Math.min(sinceNanos, now);
    cause = why;
  }

  /** Returns why the last question was not answered, or null if it was. */
  @Nullable Throwable cause() {
    return cause;
  }

  /** Returns whether it has lasted for so long. */
  boolean hasLasted(long nanos, long now) {
    return sinceNanos != Instants.NEVER && now - sinceNanos >= nanos;
  }
}

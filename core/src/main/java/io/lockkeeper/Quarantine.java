package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;

/**
 * A time in which the store grants nothing, because it may have forgotten leases: {@link
 * LockkeeperAdmin#quarantine}.
 *
 * @param reason what happened to the store, as a sentence without a full stop
 * @param remaining how long the store grants nothing from now on, as far as is known: a client from
 *     before may make it longer
 * @param advice what to set where nothing can be held from before, such as in tests, as a sentence
 *     without a full stop
 */
public record Quarantine(String reason, Duration remaining, String advice) {

  /** Checks that nothing is null. */
  public Quarantine {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(remaining, "remaining");
    Objects.requireNonNull(advice, "advice");
  }

  /** Returns the remaining time in whole seconds, at least one. */
  public long secondsLeft() {
    return Math.max(1, remaining.plusMillis(500).toSeconds());
  }

  /** Returns all of it for a log or a message, without a full stop at its end. */
  public String message() {
    return reason + ". No lock is granted for another " + secondsLeft() + " s. " + advice;
  }
}

package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Queued;

/**
 * Plans when to look at the claims that wait at the store.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class PollSchedule {

  /** How long after the holder's lease must have ended it looks at the earliest. */
  private static final long SLACK_NANOS = 10_000_000;

  private final Policy policy;

  /** When to look at the store; {@link Instants#NEVER} while an answer is under way. */
  private long dueNanos = Instants.NEVER;

  /** How many polls in a row have found the claims waiting. */
  private int polls;

  PollSchedule(Policy policy) {
    this.policy = policy;
  }

  /** Begins a new row of polls. */
  void begin() {
    polls = 0;
  }

  /** Plans a look for a claim that waits. */
  void after(Queued queued, long now) {
    long untilFree = queued.holderMicros() * 1_000 + SLACK_NANOS;
    long next = now + Math.min(policy.pollAfterNanos(polls), Math.max(SLACK_NANOS, untilFree));
    dueNanos = Math.min(dueNanos, next);
  }

  /** Plans the next look after one that has found a claim waiting. */
  void foundWaiting(Queued queued, long now) {
    polls++;
    after(queued, now);
  }

  /** Plans a look as if nothing was known. */
  void later(long now) {
    dueNanos = Math.min(dueNanos, now + policy.pollAfterNanos(polls));
  }

  /** Plans another look after one without an answer. */
  void failed(long now) {
    dueNanos = Math.min(dueNanos, now + policy.backoffNanos(2));
  }

  /** Brings a planned poll forward. */
  void reconnected(long now) {
    if (dueNanos != Instants.NEVER) {
      dueNanos = now;
    }
  }

  /** Returns whether polls are due; if so, none is planned after that. */
  boolean takeIfDue(long now) {
    boolean isDue = now >= dueNanos;
    if (isDue) {
      dueNanos = Instants.NEVER;
    }
    return isDue;
  }

  long dueNanos() {
    return dueNanos;
  }
}

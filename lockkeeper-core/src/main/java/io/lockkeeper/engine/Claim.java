package io.lockkeeper.engine;

import io.lockkeeper.spi.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * One claim of this client at the store: either the gate's shared one, which serves any number of
 * local requests, or one request's own. Guarded by the gate's mutex.
 */
final class Claim {

  /** Where a claim stands, as far as this client knows. */
  enum State {
    /** Sent, or to be sent again; the store may or may not know it. */
    SENT,
    /** The store said that it waits in the queue. */
    QUEUED
  }

  final ClaimRequest request;

  /** Whose it is; null for the shared claim. */
  final @Nullable Waiter waiter;

  State state = State.SENT;

  /** When it was sent first: no grant of it can be older. */
  final long bornNanos;

  /**
   * A pair of readings of two clocks, for grants that are pushed: the store's clock at its last
   * answer, and this client's clock when it sent the question. A store time {@code g} after the
   * former is, in this client's time, no earlier than the latter plus the difference.
   */
  long storeMicros;

  long askedNanos;

  /** The place in the store's order of arrival, or -1 while unknown. */
  long arrival = -1;

  int failures;

  /** When to send it again; {@link Margins#NEVER} while an answer is under way. */
  long retryNanos = Margins.NEVER;

  Claim(ClaimRequest request, @Nullable Waiter waiter, long nowNanos) {
    this.request = request;
    this.waiter = waiter;
    this.bornNanos = nowNanos;
    this.askedNanos = nowNanos;
  }

  long number() {
    return request.claim();
  }

  boolean isShared() {
    return waiter == null;
  }

  /** Notes an answer that has the store's time in it. */
  void heard(long storeMicros, long askedNanos) {
    this.storeMicros = storeMicros;
    this.askedNanos = askedNanos;
    failures = 0;
    retryNanos = Margins.NEVER;
  }

  /**
   * Returns a moment, on this client's clock, that is not later than the store's decision at {@code
   * decidedMicros} on the store's clock.
   */
  long earliestDecision(long decidedMicros, long now) {
    if (storeMicros == 0 || decidedMicros < storeMicros) {
      return bornNanos; // there is no common measure of time
    }
    return Math.min(now, askedNanos + (decidedMicros - storeMicros) * 1_000);
  }
}

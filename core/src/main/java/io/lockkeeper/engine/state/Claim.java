package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * Represents one claim of this client at the store: either the shared one, which serves any number
 * of local requests, or one request's own. Guarded by the coordinator's mutex.
 */
public final class Claim {

  /** Where a claim stands, as far as this client knows. */
  enum State {
    /** Sent, or to be sent again; the store may or may not know it. */
    SENT,
    /** The store said that it waits in the queue. */
    QUEUED
  }

  final ClaimRequest request;

  /** The waiter that it is for; null for the shared claim. */
  final @Nullable Waiter waiter;

  State state = State.SENT;

  /** When it was sent first: no grant of it can be older. */
  final long bornNanos;

  /** The place in the store's order of arrival, or -1 while unknown. */
  long arrival = -1;

  /** Whether a look at it is under way. */
  boolean polling;

  int failures;

  /** Whether an answer to it was given up, so that a copy of it may reach the store much later. */
  boolean doubtful;

  /** Whether the store refused it, so that nothing of it is there. */
  boolean refused;

  /** When to send it again; {@link Instants#NEVER} while an answer is under way. */
  long retryNanos = Instants.NEVER;

  Claim(ClaimRequest request, @Nullable Waiter waiter, long nowNanos) {
    this.request = request;
    this.waiter = waiter;
    this.bornNanos = nowNanos;
  }

  /** Returns the request that is sent for it. */
  public ClaimRequest request() {
    return request;
  }

  long number() {
    return request.claim();
  }

  /** Returns whether it may reach the store later than its withdrawal. */
  boolean isInDoubt() {
    return doubtful || state == State.SENT;
  }

  /** Returns its arrival, or -1 if a copy may have come since that was granted in its stead. */
  long sureArrival() {
    return doubtful ? -1 : arrival;
  }

  boolean isShared() {
    return waiter == null;
  }

  /** Notes an answer. */
  void heard() {
    failures = 0;
    retryNanos = Instants.NEVER;
  }
}

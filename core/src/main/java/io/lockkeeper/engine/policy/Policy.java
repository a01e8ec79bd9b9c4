package io.lockkeeper.engine.policy;

import io.lockkeeper.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** Tells a state machine what to choose: the numbers of the protocol and the client's settings. */
public interface Policy {

  /** Returns a claim number never returned before by this client. */
  long nextClaim();

  /** Returns how long to go on without any answer from the store. */
  long patienceNanos();

  /** Returns how long to wait before the next attempt after {@code failures} in a row. */
  long backoffNanos(int failures);

  /** Returns a time around {@code nanos}, so that clients do not ask in step. */
  long jitter(long nanos);

  /**
   * Returns when to renew a lease that has just been granted or renewed: aligned over all
   * resources, so that renewals share a request.
   */
  long renewalAfter(long nowNanos, long validUntilNanos, long leaseNanos);

  /** Returns how long to wait before a failed renewal of a lease that ends then is tried again. */
  long renewRetryNanos(long validUntilNanos);

  /** Returns how long a holder may take its time before a grant out of the queue is confirmed. */
  long confirmAfterNanos();

  /** Returns whether a grant out of the queue must be confirmed before it is used. */
  boolean confirmsHandOver();

  /**
   * Returns how long to wait before a waiting claim looks at the store, after so many polls that
   * found it waiting. Long where the store pushes, so that a poll is only a precaution.
   */
  long pollAfterNanos(int polls);

  /** Returns whether the store tells when others wait. */
  boolean hearsOthers();

  /** Returns whether the last request of this client, whatever it was about, had no answer. */
  boolean isStoreSilent();

  /** Returns the failure to report when the store does not answer. */
  StoreUnavailableException unavailable(String message, @Nullable Throwable cause);
}

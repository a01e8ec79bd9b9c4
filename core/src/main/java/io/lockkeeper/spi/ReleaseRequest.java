package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * A request to release a grant.
 *
 * @param resource its id
 * @param owner the client that has the grant; null for the caller. Only permits of a semaphore can
 *     be another client's
 * @param grant the grant's number
 * @param usedToken the largest token that was handed to a holder, or the one before the first if
 *     none was; the rest of the block may be given again. It also distinguishes grants of the same
 *     number: see {@link #isAbout}. {@link #UNKNOWN} if the caller does not know. Ignored for
 *     shared resources
 * @param requeue a further claim of this client on the same resource, or null; always null for
 *     shared resources
 * @param restMillis for how long the lock shall stay closed before the next claim is admitted, at
 *     most {@link ClaimRequest#MAX_LEASE_MILLIS}; 0 to admit it at once, as always for shared
 *     resources and with a further claim
 */
public record ReleaseRequest(
    ResourceId resource,
    @Nullable String owner,
    long grant,
    long usedToken,
    @Nullable ClaimRequest requeue,
    long restMillis) {

  /** Refuses a rest that is too long, or where there can be none. */
  public ReleaseRequest {
    ClaimRequest.checkLease(restMillis);
    if (restMillis != 0 && (restMillis < 0 || requeue != null || !resource.isExclusive())) {
      throw new IllegalArgumentException("a rest that cannot be: " + restMillis + " ms");
    }
  }

  /**
   * Stands for a used token that the caller does not know: releases whichever grant has the number
   * now, as if no token had been used.
   */
  public static final long UNKNOWN = -1;

  /**
   * Returns whether the request is about the grant of this number with this first token, and not
   * about an earlier one. A late copy of a claim whose grant has expired may be granted again; then
   * a late release of the earlier grant must not end the later one, which may cover other claims
   * too.
   */
  public boolean isAbout(long firstToken) {
    return usedToken == UNKNOWN || usedToken >= firstToken - 1;
  }

  /** Creates a request to end a grant of the caller. */
  public ReleaseRequest(
      ResourceId resource, long grant, long usedToken, @Nullable ClaimRequest requeue) {
    this(resource, null, grant, usedToken, requeue);
  }

  /** Creates a request without a rest. */
  public ReleaseRequest(
      ResourceId resource,
      @Nullable String owner,
      long grant,
      long usedToken,
      @Nullable ClaimRequest requeue) {
    this(resource, owner, grant, usedToken, requeue, 0);
  }
}

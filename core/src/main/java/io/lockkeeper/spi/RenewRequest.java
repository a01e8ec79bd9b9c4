package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * A request to renew a grant, to give back some of its permits, or to say which thread has it.
 *
 * @param resource its id
 * @param owner the client that has the grant; null for the caller
 * @param grant the grant's number
 * @param leaseMillis how long the grant is to last from now, at most {@link
 *     ClaimRequest#MAX_LEASE_MILLIS}
 * @param permits how many permits the grant is to keep, fewer than it has; or 0 for all. The same
 *     step admits waiters with the permits that are given back
 * @param label the new {@linkplain Inspection.Holder#label() label} of the grant, of a lock only;
 *     empty for none; null to keep the present one
 */
public record RenewRequest(
    ResourceId resource,
    @Nullable String owner,
    long grant,
    long leaseMillis,
    int permits,
    @Nullable String label) {

  /** Refuses a lease that is longer than the longest. */
  public RenewRequest {
    ClaimRequest.checkLease(leaseMillis);
  }

  /** Creates a request that keeps the label. */
  public RenewRequest(
      ResourceId resource, @Nullable String owner, long grant, long leaseMillis, int permits) {
    this(resource, owner, grant, leaseMillis, permits, null);
  }

  /** Creates a request to renew a grant of the caller that keeps all its permits. */
  public RenewRequest(ResourceId resource, long grant, long leaseMillis) {
    this(resource, null, grant, leaseMillis, 0);
  }
}

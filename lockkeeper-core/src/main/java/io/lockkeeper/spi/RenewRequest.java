package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * A wish for more time, or for fewer permits.
 *
 * @param resource its id
 * @param owner whose grant it is; null for the caller's own
 * @param grant the grant's number
 * @param leaseMillis how long the grant shall last from now
 * @param permits how many permits the grant shall keep, fewer than it has; or 0 for all. What is
 *     given back goes to the next in line in the same step
 */
public record RenewRequest(
    String resource, @Nullable String owner, long grant, long leaseMillis, int permits) {

  /** Creates a request for more time for a grant of the caller, and nothing else. */
  public RenewRequest(String resource, long grant, long leaseMillis) {
    this(resource, null, grant, leaseMillis, 0);
  }
}

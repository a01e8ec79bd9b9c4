package io.lockkeeper.spi;

import io.lockkeeper.ResourceKind;

/**
 * A request for a resource, or a part of it.
 *
 * @param resource its id, see {@link ResourceKind}
 * @param claim the claim's number, unique in this client
 * @param leaseMillis how long the grant shall last, at most {@link #MAX_LEASE_MILLIS}
 * @param tokens how many fencing tokens to reserve with the grant, at least 1
 * @param queue whether to wait in the queue if it cannot be granted at once
 * @param share how much of the resource it wants
 * @param label a name for the requester, for people: at most {@link #MAX_LABEL_BYTES} bytes of
 *     UTF-8 without control characters; may be empty
 */
public record ClaimRequest(
    ResourceId resource,
    long claim,
    long leaseMillis,
    int tokens,
    boolean queue,
    Share share,
    String label) {

  /** The length of the longest label. */
  public static final int MAX_LABEL_BYTES = 48;

  /** The longest lease: 24 hours. */
  public static final long MAX_LEASE_MILLIS = 24 * 60 * 60 * 1_000L;

  /** Refuses a lease that is longer than the longest. */
  public ClaimRequest {
    checkLease(leaseMillis);
  }

  /** Creates a request without a label. */
  public ClaimRequest(
      ResourceId resource, long claim, long leaseMillis, int tokens, boolean queue, Share share) {
    this(resource, claim, leaseMillis, tokens, queue, share, "");
  }

  /** Creates a request for the whole of a lock. */
  public ClaimRequest(
      ResourceId resource, long claim, long leaseMillis, int tokens, boolean queue) {
    this(resource, claim, leaseMillis, tokens, queue, Share.EXCLUSIVE);
  }

  static void checkLease(long leaseMillis) {
    if (leaseMillis > MAX_LEASE_MILLIS) {
      throw new IllegalArgumentException("a lease longer than 24 hours: " + leaseMillis + " ms");
    }
  }
}

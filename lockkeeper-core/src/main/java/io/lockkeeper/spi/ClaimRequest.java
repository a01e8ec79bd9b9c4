package io.lockkeeper.spi;

import io.lockkeeper.ResourceKind;

/**
 * A request for a resource, or a part of it.
 *
 * @param resource its id, see {@link ResourceKind}
 * @param claim the claim's number, unique in this client
 * @param leaseMillis how long the grant shall last
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
}

package io.lockkeeper.spi;

/**
 * A request for a resource, or a part of it.
 *
 * @param resource its id, see {@link ResourceKind}
 * @param claim the claim's number, unique in this client
 * @param leaseMillis how long the grant shall last
 * @param tokens how many fencing tokens to reserve with the grant, at least 1
 * @param queue whether to wait in the queue if it cannot be granted at once
 * @param share how much of the resource it wants
 */
public record ClaimRequest(
    String resource, long claim, long leaseMillis, int tokens, boolean queue, Share share) {

  /** Creates a request for the whole of a lock. */
  public ClaimRequest(String resource, long claim, long leaseMillis, int tokens, boolean queue) {
    this(resource, claim, leaseMillis, tokens, queue, Share.EXCLUSIVE);
  }
}

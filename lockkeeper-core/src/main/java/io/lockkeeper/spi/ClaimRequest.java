package io.lockkeeper.spi;

/**
 * A request for exclusive use of a resource.
 *
 * @param resource its name
 * @param claim the claim's number, unique in this client
 * @param leaseMillis how long the grant shall last
 * @param tokens how many fencing tokens to reserve with the grant, at least 1
 * @param queue whether to wait in the queue if it cannot be granted at once
 */
public record ClaimRequest(
    String resource, long claim, long leaseMillis, int tokens, boolean queue) {}

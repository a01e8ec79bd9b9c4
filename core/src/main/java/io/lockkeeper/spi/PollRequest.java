package io.lockkeeper.spi;

/**
 * A request for the state of this client's claim or grant on a resource: a poll.
 *
 * @param resource its id
 * @param claim a lock: the first of the client's waiting claims; otherwise the claim in question
 */
public record PollRequest(ResourceId resource, long claim) {}

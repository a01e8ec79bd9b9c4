package io.lockkeeper.spi;

/**
 * The question where this client stands with a resource.
 *
 * @param resource its id
 * @param claim a lock: the first of the client's waiting claims; otherwise the claim in question
 */
public record LookRequest(String resource, long claim) {}

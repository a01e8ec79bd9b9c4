package io.lockkeeper.spi;

/**
 * The question where this client stands with a resource.
 *
 * @param resource its name
 * @param claim the first of the client's waiting claims
 */
public record LookRequest(String resource, long claim) {}

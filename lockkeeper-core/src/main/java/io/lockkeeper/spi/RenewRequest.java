package io.lockkeeper.spi;

/**
 * A wish for more time.
 *
 * @param resource its name
 * @param grant the grant's number
 * @param leaseMillis how long the grant shall last from now
 */
public record RenewRequest(String resource, long grant, long leaseMillis) {}

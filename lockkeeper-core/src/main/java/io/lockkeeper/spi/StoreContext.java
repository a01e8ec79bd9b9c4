package io.lockkeeper.spi;

/**
 * What a store is told about the client that opens it.
 *
 * @param clientId the client's id: letters and digits only
 * @param clientName the client's name for people
 * @param namespace what separates this application's resources from others'
 * @param timings the protocol's time limits
 * @param environment time, scheduler and randomness
 */
public record StoreContext(
    String clientId,
    String clientName,
    String namespace,
    Timings timings,
    Environment environment) {}

package io.lockkeeper.spi;

import io.lockkeeper.ClientInfo;

/**
 * Describes the client that opens a store.
 *
 * @param client the client; its id is letters and digits only
 * @param namespace separates this application's resources from those of others
 * @param timings the protocol's time limits
 * @param environment time, scheduler and randomness
 * @param leaseMillis the client's usual lease; 0 if that is not known
 */
public record StoreContext(
    ClientInfo client,
    String namespace,
    Timings timings,
    Environment environment,
    long leaseMillis) {

  /** Creates the context of a client whose usual lease is not known. */
  public StoreContext(
      ClientInfo client, String namespace, Timings timings, Environment environment) {
    this(client, namespace, timings, environment, 0);
  }

  /** Creates the context of a client without a host and a process. */
  public StoreContext(
      String clientId,
      String clientName,
      String namespace,
      Timings timings,
      Environment environment) {
    this(new ClientInfo(clientId, clientName, null, null), namespace, timings, environment);
  }

  /** Returns the client's id. */
  public String clientId() {
    return client.id();
  }
}

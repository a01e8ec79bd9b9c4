package io.lockkeeper.spi;

/** Opens a store for one client. */
@FunctionalInterface
public interface StoreFactory {

  /**
   * Connects, within the connect timeout.
   *
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   * @throws io.lockkeeper.StoreRefusedException if the store refuses the client
   * @throws IllegalArgumentException if the address is malformed
   */
  Store open(StoreContext context);
}

/** Distributed locks: the API, and the interface that stores implement. */
module io.lockkeeper.core {
  requires static transitive org.jspecify;

  exports io.lockkeeper;
  exports io.lockkeeper.spi;

  uses io.lockkeeper.spi.StoreProvider;
}

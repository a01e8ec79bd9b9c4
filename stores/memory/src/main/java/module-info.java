/** A store inside one process. */
module io.lockkeeper.memory {
  requires static transitive org.jspecify;
  requires transitive io.lockkeeper.core;

  exports io.lockkeeper.memory;

  provides io.lockkeeper.spi.StoreProvider with
      io.lockkeeper.memory.MemoryStoreProvider;
}

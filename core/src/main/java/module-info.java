/** Distributed locks: the API, and the interface that stores implement. */
module io.lockkeeper.core {
  requires static transitive org.jspecify;
  requires static org.yaml.snakeyaml; // an application that uses YAML has it

  exports io.lockkeeper;
  exports io.lockkeeper.integration;
  exports io.lockkeeper.spi;
  exports io.lockkeeper.spi.record;
  exports io.lockkeeper.spi.rule;
  exports io.lockkeeper.spi.support;

  uses io.lockkeeper.spi.StoreProvider;
}

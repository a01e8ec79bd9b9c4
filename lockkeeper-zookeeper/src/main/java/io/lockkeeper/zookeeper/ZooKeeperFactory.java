package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;

/** Opens stores at one address. */
final class ZooKeeperFactory implements StoreFactory {

  private final ZooKeeperSettings settings;

  ZooKeeperFactory(ZooKeeperSettings settings) {
    this.settings = settings;
  }

  @Override
  public Store open(StoreContext context) {
    throw new UnsupportedOperationException("not yet: " + settings);
  }
}

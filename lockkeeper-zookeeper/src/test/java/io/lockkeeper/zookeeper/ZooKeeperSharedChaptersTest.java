package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about what several may hold, kept on ZooKeeper. */
class ZooKeeperSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

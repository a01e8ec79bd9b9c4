package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about cells and of peers' tests, kept on ZooKeeper. */
class ZooKeeperCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about locks, kept on ZooKeeper. */
class ZooKeeperLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

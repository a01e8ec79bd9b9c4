package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about locks, kept on ZooKeeper. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

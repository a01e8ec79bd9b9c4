package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about cells and of peers' tests, kept on ZooKeeper. Not in the default build,
 * because they take three minutes; the store's contract is.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ZooKeeperCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

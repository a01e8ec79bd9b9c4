package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about what several may hold, kept on ZooKeeper. Not in the default build: they take
 * three minutes, and some have time limits that an overloaded machine cannot keep.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ZooKeeperSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new ZooKeeperTckStore(SharedServer.running());
  }
}

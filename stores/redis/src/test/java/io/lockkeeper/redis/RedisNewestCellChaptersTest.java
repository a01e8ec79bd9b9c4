package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about cells and of peers' tests, kept on the newest Redis server there is. */
@Execution(ExecutionMode.CONCURRENT)
class RedisNewestCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.newest()));
  }
}

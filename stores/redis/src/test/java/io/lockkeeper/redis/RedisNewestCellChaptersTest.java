package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about cells and of peers' tests, kept on the newest Redis server there is. */
class RedisNewestCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.newest()));
  }
}

package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about locks, kept on the newest Redis server there is. */
class RedisNewestLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.newest()));
  }
}

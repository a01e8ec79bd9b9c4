package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about locks, kept on the newest Redis server there is. */
@Execution(ExecutionMode.CONCURRENT)
class RedisNewestLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.newest()));
  }
}

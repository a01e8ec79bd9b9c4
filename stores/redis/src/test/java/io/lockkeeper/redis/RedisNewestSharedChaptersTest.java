package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about what several may hold, kept on the newest Redis server there is. */
@Execution(ExecutionMode.CONCURRENT)
class RedisNewestSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.newest()));
  }
}

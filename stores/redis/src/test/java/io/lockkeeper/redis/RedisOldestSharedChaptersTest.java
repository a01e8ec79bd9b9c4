package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about what several may hold, kept on the oldest version. In the default build they
 * are tried on the newest one only, because most of it is real waiting; what differs between the
 * versions (scripts, their errors, commands) is tested on both there.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RedisOldestSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.oldest()));
  }
}

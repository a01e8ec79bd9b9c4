package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about locks, kept on the oldest version. In the default build they are tried on the
 * newest one only, because most of it is real waiting; what differs between the versions (scripts,
 * their errors, commands) is tested on both there.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RedisOldestLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.oldest()));
  }
}

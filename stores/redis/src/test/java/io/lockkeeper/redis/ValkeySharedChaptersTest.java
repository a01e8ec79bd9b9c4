package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about what several may hold, kept on Valkey. In the default build they are tried on
 * Redis only.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ValkeySharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.valkey()));
  }
}

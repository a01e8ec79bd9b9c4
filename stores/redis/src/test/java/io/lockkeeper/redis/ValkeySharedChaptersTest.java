package io.lockkeeper.redis;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/**
 * The promises about what several may hold, kept on Valkey. In the default build they are tried on
 * Redis only.
 */
@Tag("slow")
class ValkeySharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new RedisTckStore(SharedServers.running(Binaries.valkey()));
  }
}

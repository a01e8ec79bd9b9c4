package io.lockkeeper.redis;

import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.store.StoreProbe;

/** Opens clients of this store without an engine. */
final class Probes {

  private Probes() {}

  static StoreProbe open(String url) {
    return open(url, "test");
  }

  static StoreProbe open(String url, String namespace) {
    return new StoreProbe(new RedisStoreProvider().factory(url), namespace, Timings.DEFAULT);
  }
}

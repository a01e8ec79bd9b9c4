package io.lockkeeper.redis;

import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.store.StoreProbe;

/** Opens clients of this store without an engine. */
final class Probes {

  private Probes() {}

  static StoreProbe open(String url) {
    return open(url, "test");
  }

  /** A busy machine may take long to connect; where no server is, the URL says how long to try. */
  static StoreProbe open(String url, String namespace) {
    String patient =
        url.contains("connectTimeout=")
            ? url
            : url + (url.contains("?") ? "&" : "?") + "connectTimeout=1m";
    return new StoreProbe(new RedisStoreProvider().factory(patient), namespace, Timings.DEFAULT);
  }
}

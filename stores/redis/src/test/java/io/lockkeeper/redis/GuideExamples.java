package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lockkeeper.Lockkeeper;

/** The code that the guide shows. */
final class GuideExamples {

  private GuideExamples() {}

  static Lockkeeper overAnOwnClient(RedisClient client) {
    Lockkeeper keeper =
        Lockkeeper.builder()
            .connect(RedisStores.from(client, RedisURI.create("redis://localhost")));
    return keeper;
  }
}

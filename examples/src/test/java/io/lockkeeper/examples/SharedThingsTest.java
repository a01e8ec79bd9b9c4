package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisServer;
import org.junit.jupiter.api.Test;

class SharedThingsTest {

  @Test
  void itRunsInMemory() throws InterruptedException {
    assertThat(SharedThings.run("memory:shared-things")).isEqualTo(100);
  }

  @Test
  void itRunsOnRedis() throws InterruptedException {
    try (RedisServer server = RedisServer.start()) {
      assertThat(SharedThings.run(server.url() + "?connectTimeout=60s")).isEqualTo(100);
    }
  }
}

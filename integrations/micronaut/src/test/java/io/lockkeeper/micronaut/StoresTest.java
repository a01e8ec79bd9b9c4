package io.lockkeeper.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.health.HealthStatus;
import org.junit.jupiter.api.Test;

/** Two applications on one server. */
class StoresTest {

  @Test
  void applicationsExcludeEachOtherOnRedis() throws Exception {
    assumeTrue(
        System.getenv("CI") != null || !RedisBinary.available().isEmpty(), "needs redis-server");
    try (RedisServer server = RedisServer.start()) {
      check(server.url() + "?afterLoss=grant");
    }
  }

  @Test
  void applicationsExcludeEachOtherOnPostgres() throws Exception {
    assumeTrue(
        System.getenv("CI") != null || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries()::whyNone);
    try (PostgresServer server = PostgresServer.start()) {
      check(server.jdbcUrl());
    }
  }

  private static void check(String url) throws Exception {
    try (ApplicationContext one = Applications.start("lockkeeper.url", url);
        ApplicationContext other = Applications.start("lockkeeper.url", url)) {
      one.getBean(StockService.class)
          .deduct(
              "1001",
              () -> assertThat(other.getBean(StockService.class).tryDeduct("1001")).isEmpty());
      other.getBean(StockService.class).deduct("1001", () -> {}); // waits for the release
      assertThat(ApplicationTest.health(other).getStatus()).isEqualTo(HealthStatus.UP);
    }
  }
}

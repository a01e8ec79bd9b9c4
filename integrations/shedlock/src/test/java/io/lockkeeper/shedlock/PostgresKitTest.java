package io.lockkeeper.shedlock;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresKitTest extends ShedLockKit {

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    assumeTrue(
        System.getenv("CI") != null || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries()::whyNone);
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  String url() {
    return server.jdbcUrl();
  }
}

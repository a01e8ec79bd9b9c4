package io.lockkeeper.quarkus.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.PostgresServer;
import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresTest extends StoreTests {

  private static PostgresServer server;

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application()
          .setBeforeAllCustomizer(PostgresTest::start)
          .setAfterAllCustomizer(PostgresTest::stop);

  private static void start() {
    assumeTrue(
        System.getenv("CI") != null || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries()::whyNone);
    server = PostgresServer.start();
    APPLICATION.overrideRuntimeConfigKey("lockkeeper.url", server.jdbcUrl());
  }

  private static void stop() {
    if (server != null) {
      server.close();
    }
  }
}

package io.lockkeeper.quarkus.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisTest extends StoreTests {

  private static RedisServer server;

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      application().setBeforeAllCustomizer(RedisTest::start).setAfterAllCustomizer(RedisTest::stop);

  private static void start() {
    assumeTrue(
        System.getenv("CI") != null || !RedisBinary.available().isEmpty(), "needs redis-server");
    server = RedisServer.start();
    APPLICATION.overrideRuntimeConfigKey("lockkeeper.url", server.url() + "?afterLoss=grant");
  }

  private static void stop() {
    if (server != null) {
      server.close();
    }
  }
}

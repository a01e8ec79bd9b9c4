package io.lockkeeper.reactor;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisReactorLockTest extends ReactorLockTests {

  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  Lockkeeper connect() {
    return Lockkeeper.connect(server.url());
  }
}

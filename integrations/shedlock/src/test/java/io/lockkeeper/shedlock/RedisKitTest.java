package io.lockkeeper.shedlock;

import io.lockkeeper.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisKitTest extends ShedLockKit {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  String url() {
    return server.url() + "?afterLoss=grant";
  }
}

package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisLockRegistryTest extends LockRegistryContract {

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

  @Test
  void aTimedWaitEndsInTimeWhileTheStoreDoesNotAnswer() throws InterruptedException {
    try (RedisServer frozen = RedisServer.start();
        Lockkeeper keeper = Lockkeeper.connect(frozen.url() + "?afterLoss=grant")) {
      Lock lock = new LockkeeperLockRegistry(keeper, "orders").obtain("a");
      frozen.freeze();
      long begun = System.nanoTime();

      assertThat(lock.tryLock(300, TimeUnit.MILLISECONDS)).isFalse();

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG);
      frozen.thaw();
    }
  }
}

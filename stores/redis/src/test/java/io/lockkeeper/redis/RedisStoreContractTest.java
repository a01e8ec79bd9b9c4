package io.lockkeeper.redis;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.GlanceRules;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On each version of the driver that is supported. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("driver")
@Tag("jdk25")
class RedisStoreContractTest extends StoreContract implements GlanceRules {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.builder().binary(RedisBinary.preferred()).start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected StoreFactory factory() {
    return new RedisStoreProvider()
        .factory(server.url() + "?afterLoss=grant&timeout=1m&connectTimeout=1m");
  }

  @Override
  protected void advance(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}

package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.servers.RedisServer;
import org.junit.jupiter.api.Test;

class FirstLockTest {

  @Test
  void itRunsInMemory() throws InterruptedException {
    GuardedStock stock = new GuardedStock(3);
    FirstLock.run("memory:first-lock", stock);
    assertThat(stock.left()).isZero();
  }

  @Test
  void itRunsOnRedis() throws InterruptedException {
    try (RedisServer server = RedisServer.start()) {
      GuardedStock stock = new GuardedStock(3);
      FirstLock.run(server.url() + "?connectTimeout=60s", stock);
      assertThat(stock.left()).isZero();
    }
  }

  @Test
  void theStockRefusesALateWriter() {
    GuardedStock stock = new GuardedStock(3);
    stock.sellOne(8);
    assertThatThrownBy(() -> stock.sellOne(7)).isInstanceOf(IllegalStateException.class);
    assertThat(stock.left()).isEqualTo(2);
  }
}

package io.lockkeeper.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestingGuideTest {

  static class Stock {

    private final Lockkeeper keeper;
    private int count = 1;

    Stock(Lockkeeper keeper) {
      this.keeper = keeper;
    }

    boolean sellOne() {
      return keeper.lock("stock:1001").call(() -> count-- > 0);
    }
  }

  @WithLockkeeper
  static class StockTest {

    @Test
    void aStockIsSoldOnce(Lockkeeper keeper) {
      Stock stock = new Stock(keeper);

      assertThat(stock.sellOne()).isTrue();
      assertThat(stock.sellOne()).isFalse();
    }

    @Test
    void anotherProcessFindsTheLockTaken(Lockkeeper keeper, TestClients clients) {
      try (Lockkeeper other = clients.open("other")) {
        boolean got = keeper.lock("stock:1001").call(() -> other.lock("stock:1001").tryLock());
        assertThat(got).isFalse();
      }
    }
  }

  /** A server that a test has started; here it is the memory of this process. */
  private record Server(String url) {}

  private static final Server redis = new Server("memory:testing-guide");

  static class ServerTest {

    @RegisterExtension
    static final LockkeeperExtension LOCKS = new LockkeeperExtension(() -> redis.url());

    @Test
    void theClientIsConnectedToTheServer(TestClients clients) {
      assertThat(clients.url()).isEqualTo(redis.url());
    }
  }

  @Test
  void whatTheGuideShowsRuns() {
    for (Class<?> shown : List.of(StockTest.class, ServerTest.class)) {
      assertThat(Run.of(shown).failures()).isEmpty();
      assertThat(Run.of(shown).succeeded()).isPositive();
    }
  }
}

package io.lockkeeper.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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

  // the guide ends

  @Test
  void whatTheGuideShowsRuns() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/lockkeeper/junit/TestingGuideTest.java"));
    String shown =
        source
            .substring(
                source.indexOf("  @WithLockkeeper\n"), source.indexOf("\n  // the guide ends"))
            .replaceAll("(?m)^  ", "")
            .replace("static class", "class");

    assertThat(Files.readString(Path.of("../docs/guide/testing.md"))).contains(shown);
    assertThat(Run.of(StockTest.class).failures()).isEmpty();
    assertThat(Run.of(StockTest.class).succeeded()).isEqualTo(2);
  }
}

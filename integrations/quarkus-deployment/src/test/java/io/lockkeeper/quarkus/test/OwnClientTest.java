package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a client of its own, and no URL. */
class OwnClientTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(StockService.class, Own.class));

  /** In place of one on a data source. */
  @Singleton
  public static class Own {

    @Produces
    @Singleton
    Lockkeeper keeper() {
      return Lockkeeper.builder().clientName("own").connect("memory:quarkus-own");
    }

    void close(@Disposes Lockkeeper keeper) {
      keeper.close();
    }
  }

  @Inject StockService stock;

  @Test
  void itReplacesTheOther() {
    assertThat(stock.keeper.clientName()).isEqualTo("own");
    assertThat(stock.tryDeduct("1001")).contains("1001");
  }
}

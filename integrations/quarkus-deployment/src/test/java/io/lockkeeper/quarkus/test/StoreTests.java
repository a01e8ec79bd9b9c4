package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.HealthCheck;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** An application, and another client on its server. */
abstract class StoreTests {

  @Inject StockService stock;
  @Inject HealthCheck health;

  @ConfigProperty(name = "lockkeeper.url")
  String url;

  static QuarkusUnitTest application() {
    return new QuarkusUnitTest()
        .withApplicationRoot(jar -> jar.addClasses(StockService.class, StoreTests.class))
        .overrideConfigKey("quarkus.application.name", "shop");
  }

  @Test
  void oneLockedMethodRunsAtATime() {
    try (Lockkeeper other = Lockkeeper.builder().namespace("shop").connect(url)) {
      other.lock("stock:1001").run(() -> assertThat(stock.tryDeduct("1001")).isEmpty());
      stock.deduct(
          "1001", () -> assertThat(other.lock("stock:1001").tryLock()).isFalse()); // waits first
    }
    assertThat(health.call()).containsKey("pingMillis").doesNotContainKey(HealthCheck.REASON);
  }
}

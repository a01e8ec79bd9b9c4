package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.HealthCheck;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with the memory store. */
class ApplicationTest {

  private static final String URL = "memory:quarkus";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClass(StockService.class))
          .overrideConfigKey("quarkus.application.name", "shop")
          .overrideConfigKey("lockkeeper.url", URL)
          .overrideConfigKey("lockkeeper.client-name", "till 1")
          .setAfterUndeployListener(ApplicationTest::checkTheEnd)
          .overrideConfigKey("lockkeeper.locks.\"once:*\".reentrant", "false");

  @Inject StockService stock;
  @Inject HealthCheck health;

  /** A client that is closed has no threads. */
  private static void checkTheEnd() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("lockkeeper"));
  }

  @Test
  void theClientIsInjectedWithItsSettings() {
    assertThat(stock.keeper.clientName()).isEqualTo("till 1");
    try (Lockkeeper same = Lockkeeper.builder().namespace("shop").connect(URL)) {
      stock.deduct("1001", () -> assertThat(same.lock("stock:1001").isLocked()).isTrue());
    }
    stock
        .keeper
        .lock("once:1")
        .run(() -> assertThat(stock.keeper.lock("once:1").tryLock()).isFalse());
    assertThat(health.call()).containsEntry("namespace", "shop");
  }

  @Test
  void oneLockedMethodRunsAtATime() {
    try (Lockkeeper other = Lockkeeper.builder().namespace("shop").connect(URL)) {
      other
          .lock("stock:1001")
          .run(
              () -> {
                assertThat(stock.tryDeduct("1001")).isEmpty();
                assertThat(stock.tryDeduct("1002")).contains("1002");
                assertThatThrownBy(() -> stock.deductNow("1001"))
                    .isInstanceOf(AcquireTimeoutException.class)
                    .hasMessage("'stock:1001' was not granted within 0s");
              });
      stock.deduct("1001", () -> stock.deductNow("1001")); // waits for the release, and re-enters
    }
  }

  @Test
  void theDefaultNameIsThatOfTheMethod() {
    assertThat(
            stock.byDefault(
                () ->
                    String.valueOf(
                        stock.keeper.lock("StockService.byDefault").isHeldByCurrentThread())))
        .isEqualTo("true");
  }

  @Test
  void aStageKeepsTheLockUntilItIsComplete() {
    CompletableFuture<String> inside = new CompletableFuture<>();
    CompletableFuture<String> outside = stock.later(inside);
    assertThat(stock.keeper.lock("stage").isLocked()).isTrue();

    inside.complete("done");

    assertThat(outside).isCompletedWithValue("done");
    assertThat(stock.later(CompletableFuture.completedFuture("next"))).isCompleted();
  }

  @Test
  void whatTheMethodThrowsComesAsItIs() {
    assertThatThrownBy(stock::fails).isInstanceOf(IOException.class).hasMessage("as it is");
  }
}

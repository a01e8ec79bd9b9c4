package io.lockkeeper.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Applications with the memory store. */
class ApplicationTest {

  private static final String URL = "memory:micronaut";

  private final ApplicationContext context =
      Applications.start("lockkeeper.url", URL, "lockkeeper.clientName", "till 1");
  private final ApplicationContext other = Applications.start("lockkeeper.url", URL);
  private final StockService stock = context.getBean(StockService.class);
  private final StockService otherStock = other.getBean(StockService.class);

  @AfterEach
  void close() {
    context.close();
    other.close();
  }

  @Test
  void theClientIsInjectedWithItsSettingsAndClosedAtTheEnd() {
    assertThat(stock.keeper.clientName()).isEqualTo("till 1");
    assertThat(context.getBean(LockkeeperConfiguration.class).toString()).doesNotContain(URL);
    try (Lockkeeper same = Lockkeeper.builder().namespace("shop").connect(URL)) {
      stock.deduct("1001", () -> assertThat(same.lock("stock:1001").isLocked()).isTrue());
    }

    context.close();

    assertThatThrownBy(() -> stock.keeper.lock("a").lock())
        .isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  void oneLockedMethodRunsAtATime() {
    stock.deduct(
        "1001",
        () -> {
          assertThat(otherStock.tryDeduct("1001")).isEmpty();
          assertThat(otherStock.tryDeduct("1002")).contains("1002");
          assertThatThrownBy(() -> otherStock.deductNow("1001"))
              .isInstanceOf(AcquireTimeoutException.class)
              .hasMessage("'stock:1001' was not granted within 0s");
          stock.deductNow("1001"); // re-enters
        });
    otherStock.deduct("1001", () -> {}); // waits for the release
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
    assertThat(stock.keeper.lock("stage").isHeldByCurrentThread()).isFalse();
    assertThat(otherStock.later(CompletableFuture.completedFuture("next"))).isCompleted();
  }

  @Test
  void whatTheMethodThrowsComesAsItIs() {
    assertThatThrownBy(stock::fails).isInstanceOf(IOException.class).hasMessage("as it is");
  }

  @Test
  void theHealthIsUpWhileTheStoreAnswers() throws Exception {
    HealthResult up = health(context);
    stock.keeper.close();
    HealthResult down = health(context);

    assertThat(up.getName()).isEqualTo("lockkeeper");
    assertThat(up.getStatus()).isEqualTo(HealthStatus.UP);
    assertThat((Map<?, ?>) up.getDetails()).extracting("namespace").isEqualTo("shop");
    assertThat(down.getStatus()).isEqualTo(HealthStatus.DOWN);
    try (ApplicationContext without =
        Applications.start("lockkeeper.url", URL, "endpoints.health.lockkeeper.enabled", "false")) {
      assertThat(without.findBean(LockkeeperHealthIndicator.class)).isEmpty();
    }
  }

  static HealthResult health(ApplicationContext context) throws Exception {
    CompletableFuture<HealthResult> result = new CompletableFuture<>();
    HealthIndicator indicator = context.getBean(LockkeeperHealthIndicator.class);
    indicator
        .getResult()
        .subscribe(
            new Subscriber<>() {
              @Override
              public void onSubscribe(Subscription subscription) {
                subscription.request(1);
              }

              @Override
              public void onNext(HealthResult one) {
                result.complete(one);
              }

              @Override
              public void onError(Throwable failure) {
                result.completeExceptionally(failure);
              }

              @Override
              public void onComplete() {}
            });
    return result.get();
  }

  @Factory
  static class Meters {

    @Singleton
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Test
  void theLocksAreMeasured() {
    stock.deductNow("1001");

    MeterRegistry registry = context.getBean(MeterRegistry.class);
    assertThat(registry.get("lockkeeper.acquire").timers())
        .anySatisfy(timer -> assertThat(timer.count()).isEqualTo(1));
    assertThat(registry.get("lockkeeper.events.dropped").functionCounter().count()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lockkeeper.lease                | 10s           | lockkeeper.url is missing: the store's address
          lockkeeper.url                  | reddis://:secret@host | lockkeeper.url: no store knows the URL scheme 'reddis'
          lockkeeper.url                  | etcd://:secret@host   | lockkeeper.url: no store knows the URL scheme 'etcd': add the module io.lockkeeper:lockkeeper-etcd
          lockkeeper.ulr                  | memory:secret | lockkeeper.ulr is not known; did you mean lockkeeper.url?
          lockkeeper.deadlocks.chek       | secret        | lockkeeper.deadlocks.chek is not known; did you mean lockkeeper.deadlocks.check?
          lockkeeper.storeTimeout         | 10            | lockkeeper.store-timeout is '10': it must be a duration with a unit, such as 500ms
          lockkeeper.locks.stock:*.leese  | 10s           | lockkeeper.locks[stock:*].leese is not known
          lockkeeper.deadlocks.detect     | perhaps       | lockkeeper.deadlocks.detect is 'perhaps': it must be true or false
          """)
  void theStartFailsWithTheNameOfTheProperty(String name, String value, String message) {
    assertThatThrownBy(() -> Applications.start(name, value).close())
        .hasMessageContaining(message)
        .extracting(Throwables::getStackTrace)
        .asString()
        .doesNotContain("secret");
  }

  @Test
  void optionsOfLocksHavePatterns() {
    try (ApplicationContext once =
        Applications.start("lockkeeper.url", URL, "lockkeeper.locks.stock:*.reentrant", "false")) {
      StockService service = once.getBean(StockService.class);
      service.deduct("1", () -> assertThat(service.tryDeduct("1")).isEmpty());
    }
  }

  @Factory
  @Requires(property = "test.own")
  static class OwnClient {

    @Singleton
    Lockkeeper keeper() {
      return Lockkeeper.builder().clientName("own").connect(URL);
    }
  }

  @Test
  void anApplicationMayHaveAClientOfItsOwn() {
    try (ApplicationContext own = Applications.start("test.own", "true")) {
      assertThat(own.getBean(Lockkeeper.class).clientName()).isEqualTo("own");
    }
  }

  @Singleton
  @Requires(property = "test.wrong", value = "parameter")
  static class WrongParameter {
    @Locked("stock:{sukk}")
    void deduct(String sku) {}
  }

  @Singleton
  @Requires(property = "test.wrong", value = "result")
  static class WrongResult {
    @Locked
    Future<String> later() {
      return new CompletableFuture<>();
    }
  }

  @Singleton
  @Requires(property = "test.wrong", value = "wait")
  static class WrongWait {
    @Locked(waitTime = "5")
    void deduct() {}
  }

  @ParameterizedTest
  @CsvSource({
    "parameter, WrongParameter.deduct has the name 'stock:{sukk}'",
    "result, WrongResult.later returns a Future",
    "wait, WrongWait.deduct has the waitTime '5'"
  })
  void theStartFailsForAWrongAnnotation(String wrong, String message) {
    assertThatThrownBy(() -> Applications.start("lockkeeper.url", URL, "test.wrong", wrong).close())
        .hasStackTraceContaining("@Locked method ApplicationTest." + message);
  }
}

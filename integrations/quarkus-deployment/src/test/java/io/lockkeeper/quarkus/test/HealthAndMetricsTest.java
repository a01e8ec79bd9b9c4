package io.lockkeeper.quarkus.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.QuarkusUnitTest;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with SmallRye Health and Micrometer. */
class HealthAndMetricsTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(StockService.class, Meters.class))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("lockkeeper.url", "memory:quarkus-health");

  /** A registry in place of an exporter. */
  @Singleton
  public static class Meters {

    @Produces
    @Singleton
    SimpleMeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Inject StockService stock;
  @Inject MeterRegistry registry;

  @ConfigProperty(name = "quarkus.http.test-port")
  int port;

  @Test
  void theReadinessIsUpWhileTheStoreAnswersAndTheLocksAreMeasured() throws Exception {
    stock.deductNow("1001");
    HttpResponse<String> up = readiness();
    assertThat(registry.get("lockkeeper.acquire").timers())
        .anySatisfy(timer -> assertThat(timer.count()).isEqualTo(1));
    assertThat(registry.get("lockkeeper.events.dropped").functionCounter().count()).isZero();

    stock.keeper.close();
    HttpResponse<String> down = readiness();

    assertThat(up.body()).contains("\"name\": \"lockkeeper\"", "\"status\": \"UP\"", "pingMillis");
    assertThat(up.statusCode()).isEqualTo(200);
    assertThat(down.body()).contains("\"status\": \"DOWN\"", "LockkeeperClosedException");
    assertThat(down.statusCode()).isEqualTo(503);
  }

  @Inject Vertx vertx;

  @Test
  void aThreadOfTheEventLoopDoesNotWait() {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    vertx.runOnContext(
        unused -> failure.complete(catchThrowable(() -> stock.deductNow("on the event loop"))));

    assertThat(failure.join())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "@Locked method StockService.deductNow may wait for its lock, and is called on a thread"
                + " that must not block");
  }

  private HttpResponse<String> readiness() throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/q/health/ready"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}

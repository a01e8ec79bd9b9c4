package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import io.lockkeeper.console.ConsoleView;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The console's page in an application, over HTTP. */
@Tag("major")
@Tag("full")
class ConsoleEndpointTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String PATH = "/actuator/lockkeeperconsole";

  private final HttpClient http = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
      })
  static class Shop {}

  /** An application with clients of its own. */
  @Configuration(proxyBeanMethods = false)
  static class TwoStores {

    @Bean
    @Primary
    Lockkeeper orders() {
      return Lockkeeper.connect("memory:console-endpoint-orders");
    }

    @Bean
    Lockkeeper prices() {
      return Lockkeeper.connect("memory:console-endpoint-prices");
    }
  }

  private static ConfigurableApplicationContext start(String... properties) {
    return start(Shop.class, properties);
  }

  private static ConfigurableApplicationContext start(Class<?> more, String... properties) {
    return start("servlet", more, properties);
  }

  private static ConfigurableApplicationContext start(
      String stack, Class<?> more, String... properties) {
    return SpringApplication.run(
        new Class<?>[] {Shop.class, more},
        Stream.concat(
                Stream.of(
                    "--spring.main.web-application-type=" + stack,
                    "--spring.main.banner-mode=off",
                    "--spring.application.name=shop",
                    "--server.port=0",
                    "--server.address=127.0.0.1",
                    "--lockkeeper.url=memory:console-endpoint"),
                Stream.of(properties))
            .toArray(String[]::new));
  }

  private HttpRequest.Builder request(ConfigurableApplicationContext context, String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + PATH + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> release(
      ConfigurableApplicationContext context, HolderReport holder, String again) throws Exception {
    String wish =
        """
        {"store": 0, "kind": "LOCK", "name": "stock", "clientId": "%s", "grant": "%d", "again": "%s"}
        """
            .formatted(holder.client().id(), holder.grant(), again);
    return send(
        request(context, "/release")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(wish)));
  }

  @Test
  void itShowsThePageAndWhatThatAsksForAndChangesNothing() throws Exception {
    try (ConfigurableApplicationContext context =
        start("--management.endpoints.web.exposure.include=lockkeeperconsole")) {
      Lockkeeper keeper = context.getBean(Lockkeeper.class);
      Lease lease = keeper.lock("stock").acquire();
      HolderReport holder =
          keeper.admin().inspect(ResourceQuery.prefix("stock").limit(1)).get(0).holders().get(0);

      HttpResponse<String> page = send(request(context, "").header("Accept", "text/html,*/*"));

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
      String nonce = page.body().replaceFirst("(?s).*'nonce-([0-9a-f]+)'.*", "$1");
      assertThat(page.body())
          .contains("default-src 'none'", "<script nonce=\"" + nonce + "\" data-poll=\"1000\">");
      assertThat(send(request(context, "")).body()).doesNotContain(nonce);
      assertThat(send(request(context, "/about")).body())
          .contains("\"title\":\"shop\"", "\"mayRelease\":false");
      HttpResponse<String> state = send(request(context, "/state/0"));
      assertThat(state.headers().firstValue("Content-Type").orElse("")).contains("json");
      assertThat(state.body())
          .contains("\"resources\":1", "\"title\":\"lock 'stock'\"", keeper.clientId());
      for (String path : List.of("/no", "/state", "/state/1", "/state/-1", "/no/0")) {
        assertThat(send(request(context, path)).statusCode()).as(path).isEqualTo(404);
      }

      assertThat(release(context, holder, "stock").statusCode()).isBetween(400, 499);
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aReleaseIsForcedIfThatIsAllowedAndTheNameIsGivenAgain() throws Exception {
    try (ConfigurableApplicationContext context =
        start(
            "--management.endpoints.web.exposure.include=lockkeeperconsole",
            "--management.endpoint.lockkeeperconsole.access=unrestricted")) {
      Lockkeeper keeper = context.getBean(Lockkeeper.class);
      Lease lease = keeper.lock("stock").acquire();
      HolderReport holder =
          keeper.admin().inspect(ResourceQuery.prefix("stock").limit(1)).get(0).holders().get(0);
      assertThat(send(request(context, "/about")).body()).contains("\"mayRelease\":true");

      assertThat(release(context, holder, "stick").statusCode()).isEqualTo(400);
      assertThat(lease.isValid()).isTrue();
      HttpRequest.Builder simple = // what a page of somebody else's can send without being asked
          request(context, "/release")
              .header("Content-Type", "text/plain")
              .POST(BodyPublishers.ofString("{}"));
      assertThat(send(simple).statusCode()).isEqualTo(415);

      HttpResponse<String> answer = release(context, holder, "stock");

      assertThat(answer.body()).isEqualTo("released");
      assertThat(keeper.admin().inspect(ResourceQuery.prefix("stock").limit(1))).isEmpty();
    }
  }

  @Test
  void theStoresOfAllClientsAreShown() throws Exception {
    try (ConfigurableApplicationContext context =
        start(TwoStores.class, "--management.endpoints.web.exposure.include=lockkeeperconsole")) {
      Lease lease = context.getBean("prices", Lockkeeper.class).lock("bread").acquire();

      assertThat(send(request(context, "/about")).body())
          .contains("\"name\":\"orders\"", "\"name\":\"prices\"");
      assertThat(send(request(context, "/state/0")).body()).contains("\"resources\":0");
      assertThat(send(request(context, "/state/1")).body()).contains("\"title\":\"lock 'bread'\"");
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aChangeComesAsAnEventWithSpringMvc() throws Exception {
    assertEvents("servlet");
  }

  @Test
  void aChangeComesAsAnEventWithWebFlux() throws Exception {
    assertEvents("reactive");
  }

  /**
   * Two browsers, of which one goes, and the application, which would wait ten minutes for the
   * request of the other if that did not end by itself.
   */
  private void assertEvents(String stack) throws Exception {
    ConfigurableApplicationContext context =
        start(
            stack,
            TwoStores.class,
            "--management.endpoints.web.exposure.include=lockkeeperconsole",
            "--server.shutdown=graceful",
            "--spring.lifecycle.timeout-per-shutdown-phase=10m");
    try (BufferedReader events = listen(context)) {
      awaitEvent(events, "\"store\":0,", "\"resources\":0");
      try (Lease lease = context.getBean("prices", Lockkeeper.class).lock("bread").acquire()) {
        awaitEvent(events, "\"store\":1,", "\"title\":\"lock 'bread'\"");
        assertThat(lease.isValid()).isTrue();
      }
      awaitEvent(events, "\"store\":1,", "\"resources\":0");
      try (BufferedReader another = listen(context)) {
        awaitEvent(another, "\"store\":1,");
      }
      awaitEvent(events, "\"store\":0,");

      context.close();

      String last = "";
      while (last != null) {
        last = events.readLine();
      }
    } finally {
      context.close();
    }
    await().atMost(LIMIT).until(() -> looking().isEmpty());
  }

  @Test
  void nobodyLooksWhenNobodyListensAnyMoreWithSpringMvc() throws Exception {
    assertQuiet("servlet");
  }

  @Test
  void nobodyLooksWhenNobodyListensAnyMoreWithWebFlux() throws Exception {
    assertQuiet("reactive");
  }

  private void assertQuiet(String stack) throws Exception {
    try (ConfigurableApplicationContext context =
        start(stack, Shop.class, "--management.endpoints.web.exposure.include=lockkeeperconsole")) {
      assertThat(looking()).isEmpty();
      try (BufferedReader events = listen(context)) {
        awaitEvent(events, "\"store\":0,");
        assertThat(looking()).isNotEmpty();
      }
      await().atMost(LIMIT).until(() -> looking().isEmpty());
      try (BufferedReader events = listen(context)) {
        awaitEvent(events, "\"store\":0,");
      }
    }
  }

  private static List<String> looking() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter("lockkeeper-console"::equals)
        .toList();
  }

  /** Begins to listen, as a browser does. */
  private BufferedReader listen(ConfigurableApplicationContext context) throws Exception {
    HttpResponse<InputStream> answer =
        http.send(
            request(context, "/events").header("Accept", "text/event-stream").build(),
            BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  /** Reads on until an event has all these texts. */
  private static void awaitEvent(BufferedReader events, String... texts) throws Exception {
    String name = "";
    while (true) {
      String line = events.readLine();
      assertThat(line).as("the stream goes on").isNotNull();
      if (line.startsWith("event:")) {
        name = line.substring("event:".length()).strip();
      }
      if (line.startsWith("data:") && Stream.of(texts).allMatch(line::contains)) {
        assertThat(name).isEqualTo("state");
        return;
      }
    }
  }

  @Test
  void whereThereAreNoEventsOrTooManyListenThePageAsks() {
    ConsoleView view =
        new ConsoleView(
            "it",
            List.of(new ConsoleStore("one", Lockkeeper.connect("memory:console-endpoint"))),
            ConsoleOptions.defaults());
    assertThat(new LockkeeperConsoleEndpoint(view, null).one("events")).isNull();

    try (ServletConsoleStreams streams = new ServletConsoleStreams(view)) {
      assertThat(streams.open()).isInstanceOf(WebEndpointResponse.class);
      streams.start();
      for (int i = 0; i < 100; i++) {
        assertThat(streams.open()).isInstanceOf(SseEmitter.class);
      }
      assertThat(streams.open())
          .isInstanceOfSatisfying(
              WebEndpointResponse.class, full -> assertThat(full.getStatus()).isEqualTo(503));
    }
  }

  @Test
  void itIsNotThereUnlessItIsExposed() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      assertThat(send(request(context, "")).statusCode()).isEqualTo(404);
    }
  }
}

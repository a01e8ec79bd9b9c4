package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The actuator's endpoint as it is asked, over HTTP. */
class EndpointHttpTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
      })
  static class Application {}

  private final HttpClient http = HttpClient.newHttpClient();
  private ConfigurableApplicationContext context;

  @BeforeEach
  void start() {
    SpringApplication application = new SpringApplication(Application.class);
    application.setDefaultProperties(
        Map.of(
            "lockkeeper.url", "memory:endpoint-http-test",
            "server.port", "0",
            "server.address", "127.0.0.1",
            "spring.main.banner-mode", "off",
            "management.endpoints.web.exposure.include", "lockkeeper",
            "management.endpoint.lockkeeper.access", "unrestricted"));
    context = application.run();
  }

  @AfterEach
  void stop() {
    if (context != null) {
      context.close();
    }
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/lockkeeper" + path);
    return http.send(
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  @Test
  void resourcesAreListedShownAndReleasedByForce() throws Exception {
    Lease lease = context.getBean(Lockkeeper.class).lock("orders").acquire();

    HttpResponse<String> all = ask("GET", "");
    assertThat(all.statusCode()).isEqualTo(200);
    assertThat(all.headers().firstValue("Content-Type").orElse("")).contains("json");
    assertThat(all.body()).contains("\"resources\":[", "\"name\":\"orders\"", "\"holders\":[{");

    HttpResponse<String> one = ask("GET", "/lock/orders");
    assertThat(one.statusCode()).isEqualTo(200);
    assertThat(one.body())
        .startsWith(
            "{\"name\":\"orders\",\"kind\":\"lock\",\"limit\":1,\"holders\":[{\"clientId\":")
        .contains("\"token\":" + lease.token(), "\"leaseLeftMillis\":");
    assertThat(ask("GET", "/read-write-lock/orders").body())
        .contains("\"kind\":\"read-write-lock\",\"limit\":null");

    assertThat(ask("DELETE", "/lock/orders").body()).isEqualTo("{\"released\":1}");
    assertThat(ask("GET", "/lock/orders").body()).contains("\"holders\":[]");
  }

  /** Other processes show only the client: the store does not know the thread of a lock. */
  @Test
  void theThreadsOfItsOwnLocksAreNamed() throws Exception {
    DistributedLock lock = context.getBean(Lockkeeper.class).lock("orders");
    lock.lock();
    try {
      assertThat(ask("GET", "/lock/orders").body())
          .contains('"' + Thread.currentThread().getName() + '"');
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aNameMayHaveSlashes() throws Exception {
    Lease lease = context.getBean(Lockkeeper.class).lock("a/b c/d").acquire();
    assertThat(ask("GET", "/lock/a/b%20c/d").body())
        .contains("\"name\":\"a/b c/d\"", "\"token\":" + lease.token());
    assertThat(ask("DELETE", "/lock/a/b%20c/d").body()).isEqualTo("{\"released\":1}");
  }

  @Test
  void aKindOrANameThatCannotBeIsTheCallersMistake() throws Exception {
    assertThat(ask("GET", "/nothing/orders").statusCode()).isEqualTo(400);
    assertThat(ask("DELETE", "/nothing/orders").statusCode()).isEqualTo(400);
    assertThat(ask("GET", "/lock/" + "a".repeat(513)).statusCode()).isEqualTo(400);
    assertThat(ask("GET", "/read-write-lock/orders").statusCode()).isEqualTo(200);
  }
}

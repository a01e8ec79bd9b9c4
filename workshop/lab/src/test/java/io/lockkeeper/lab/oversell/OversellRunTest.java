package io.lockkeeper.lab.oversell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.CommandRun;
import io.lockkeeper.lab.CommandRun.Ended;
import io.lockkeeper.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small contests from end to end: real worker processes, a real Redis. */
@Tag("full")
class OversellRunTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String[] SMALL = {
    "oversell", "--processes", "2", "--threads", "4", "--orders", "5", "--warm-up", "0"
  };

  @TempDir private Path folder;

  private static Ended small(String... more) {
    return CommandRun.of(
        Stream.of(List.of(SMALL), List.of(more)).flatMap(List::stream).toArray(String[]::new));
  }

  @Test
  void aContestWritesTableFiguresAndReport() throws IOException {
    Path json = folder.resolve("figures.json");
    Path html = folder.resolve("report.html");

    Ended ended =
        small(
            "--variant",
            "none,setnx,watch,lock,fairLock,jvm",
            "--seed",
            "7",
            "--json",
            json.toString(),
            "--html",
            html.toString());

    assertThat(ended.status()).as(ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("orders/s", "No locked variant lost or oversold an order.");
    assertThat(ended.err()).contains("40 of 40 orders");
    checkFigures(JSON.readTree(json.toFile()));
    checkReport(Files.readString(html));
  }

  private static void checkFigures(JsonNode figures) throws IOException {
    assertThat(schema().validate(figures)).isEmpty();
    assertThat(figures.at("/seed").longValue()).isEqualTo(7);
    assertThat(figures.at("/load/orders").longValue()).isEqualTo(40);
    assertThat(figures.at("/stores/0/embedded").booleanValue()).isTrue();
    List<JsonNode> variants =
        StreamSupport.stream(figures.at("/stores/0/variants").spliterator(), false).toList();
    assertThat(variants)
        .extracting(variant -> variant.at("/name").textValue())
        .containsExactly("none", "setnx", "watch", "lock", "fairLock", "jvm");
    assertThat(variants).allMatch(OversellRunTest::isEveryOrderAccountedFor);
    assertThat(variants)
        .filteredOn(variant -> variant.at("/locked").booleanValue())
        .allMatch(variant -> variant.at("/oversold").longValue() == 0)
        .allMatch(variant -> variant.at("/stockLeft").longValue() == 0);
    checkSetNx(variants.get(1));
    checkFairLock(variants.get(4));
    checkJvm(variants.get(5));
  }

  private static boolean isEveryOrderAccountedFor(JsonNode variant) {
    return variant.at("/sold").longValue() + variant.at("/ordersGivenUp").longValue() == 40;
  }

  private static void checkSetNx(JsonNode variant) {
    assertThat(variant.at("/commandsPerOrder").doubleValue())
        .as("SET NX at least once, and one script")
        .isGreaterThanOrEqualTo(2);
  }

  private static void checkFairLock(JsonNode variant) {
    assertThat(variant.at("/commandsPerOrder").doubleValue()).isPositive();
    assertThat(variant.at("/arrivals/grants").longValue()).isEqualTo(40);
    assertThat(variant.at("/arrivals/queued").longValue()).isPositive();
    assertThat(variant.at("/arrivals/violations").longValue()).isZero();
  }

  private static void checkJvm(JsonNode variant) {
    assertThat(variant.at("/commandsPerOrder").doubleValue()).isZero();
    assertThat(variant.at("/processes").intValue()).isEqualTo(1);
    assertThat(variant.at("/threadsPerProcess").intValue()).isEqualTo(8);
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream in =
        OversellRunTest.class.getResourceAsStream("report/oversell-report.schema.json")) {
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
          .getSchema(JSON.readTree(in));
    }
  }

  private static void checkReport(String html) {
    assertThat(html).contains("<td>setnx</td>");
    for (String unwanted : List.of("http:", "https:", " src=", " href=", "${", "rgb(1,2,3)")) {
      assertThat(html.contains(unwanted))
          .as("from the network, or not filled in: " + unwanted)
          .isFalse();
    }
    assertThat(html.split("<svg", -1)).as("plots").hasSize(1 + 4);
    assertThat(html.split("</svg>", -1)).hasSize(1 + 4);
  }

  @Test
  void aShortStockIsSoldOutAndNotOversold() throws IOException {
    Path json = folder.resolve("figures.json");

    Ended ended = small("--variant", "setnx", "--stock", "10", "--json", json.toString());

    assertThat(ended.status()).as(ended.err()).isEqualTo(ExitStatus.OK);
    JsonNode variant = JSON.readTree(json.toFile()).at("/stores/0/variants/0");
    assertThat(variant.at("/sold").longValue()).isEqualTo(10);
    assertThat(variant.at("/stockLeft").longValue()).isZero();
    assertThat(variant.at("/ordersDone").longValue()).isEqualTo(40);
  }

  @Test
  void aLockedVariantThatOversoldIsAFailure() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      AtomicBoolean done = new AtomicBoolean();
      Thread meddler = new Thread(() -> putBackWhatWasSold(server, done), "meddler");
      meddler.start();
      try {
        Ended ended = small("--variant", "setnx", "--store", server.url());

        assertThat(ended.out()).contains("FAILED setnx: ", " oversold");
        assertThat(ended.status()).isEqualTo(ExitStatus.FAILED);
      } finally {
        done.set(true);
        meddler.join();
      }
    }
  }

  /** Does to the stock what a broken lock does: it grows although nothing is given back. */
  private static void putBackWhatWasSold(RedisServer server, AtomicBoolean done) {
    String script =
        "local keys = redis.call('keys', '*:sale}:stock')"
            + " if keys[1] then redis.call('incr', keys[1]) end";
    while (!done.get()) {
      server.command("EVAL", script, "0");
    }
  }

  @Test
  void aStoreOfTheUsersIsLeftAsItWas() throws IOException {
    try (RedisServer server = RedisServer.builder().password("a/hunter2@b").start()) {
      Path json = folder.resolve("figures.json");
      Object before = server.command("DBSIZE");

      Ended ended = small("--variant", "none", "--store", server.url(), "--json", json.toString());

      assertThat(ended.status()).as(ended.err()).isEqualTo(ExitStatus.OK);
      assertThat(ended.out() + ended.err() + Files.readString(json)).doesNotContain("hunter2");
      assertThat(server.command("DBSIZE")).isEqualTo(before);
    }
  }

  @Test
  void aStoreOutOfReachIsSaidInOneLine() throws IOException {
    int port = unusedPort();

    Ended ended = small("--store", "redis://:hunter2@127.0.0.1:" + port);

    assertThat(ended.status()).isEqualTo(ExitStatus.CANNOT_RUN);
    assertThat(ended.err().lines())
        .singleElement()
        .asString()
        .contains("127.0.0.1:" + port, "Connection refused", "--store")
        .doesNotContain("hunter2");
  }

  @Test
  void aWrongPasswordIsSaidAndNotShown() {
    try (RedisServer server = RedisServer.builder().password("hunter2").start()) {
      Ended ended = small("--store", "redis://:hunter3@127.0.0.1:" + server.port());

      assertThat(ended.status()).isEqualTo(ExitStatus.CANNOT_RUN);
      assertThat(ended.err()).contains("WRONGPASS").doesNotContain("hunter");
    }
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

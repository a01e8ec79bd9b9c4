package io.lockkeeper.examples.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.examples.outside.Shop.Framework;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stock service of the examples, as {@code .ci/outside-applications} has built it from what is
 * published: two instances on each Spring Boot, Micronaut and Quarkus, all of them on one store.
 */
@EnabledIfSystemProperty(
    named = "lockkeeper.examples.jars",
    matches = ".+",
    disabledReason = ".ci/outside-applications builds what is tested here")
class ApplicationsIT {

  private static final String ITEM = "1001";
  private static final String LOCK = "stock:" + ITEM;
  private static final int SALES = 40;
  private static final Duration LIMIT = Delays.millis(300_000);

  @TempDir private Path folder;
  private final List<Shop> shops = new ArrayList<>();

  @AfterEach
  void end() {
    shops.forEach(Shop::close);
  }

  /** Returns the jars of a profile of the examples, one for each framework's version. */
  private static List<Path> jars(String profile) throws IOException {
    Path jars = Path.of(System.getProperty("lockkeeper.examples.jars"), profile);
    assumeTrue(Files.isDirectory(jars), () -> "there is no " + jars);
    try (Stream<Path> files = Files.list(jars)) {
      List<Path> found =
          files
              .map(file -> Files.isDirectory(file) ? file.resolve("quarkus-run.jar") : file)
              .sorted()
              .toList();
      assertThat(found).hasSize(5);
      return found;
    }
  }

  /**
   * Starts two instances of each, one after the other. On Spring Boot the store is a bean that a
   * property makes.
   */
  private void start(List<Path> jars, String bootProperty, String url) throws IOException {
    for (int i = 0; i < 2; i++) {
      for (Path jar : jars) {
        boolean boot = Framework.of(jar) == Framework.SPRING_BOOT;
        shops.add(Shop.start(jar, folder, (boot ? bootProperty : "lockkeeper.url") + "=" + url));
      }
      awaitHealth();
    }
  }

  private void awaitHealth() {
    for (Shop shop : shops) {
      await()
          .atMost(LIMIT)
          .failFast(() -> assertThat(shop.process().isAlive()).as(shop::toString).isTrue())
          .untilAsserted(
              () ->
                  assertThat(shop.health())
                      .as(shop::toString)
                      .startsWith("{")
                      .contains("\"lockkeeper\"", "pingMillis")
                      .doesNotContain("DOWN"));
    }
  }

  /** Sells at all shops at once: what each sale leaves is what no other one leaves. */
  private void sellAll() {
    int items = SALES * shops.size();
    assertThat(shops.get(0).post("/stock/" + ITEM + "/restock/" + items).body())
        .as(shops.get(0)::toString)
        .isEqualTo(String.valueOf(items));

    List<String> left = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture.allOf(
            shops.stream()
                .map(shop -> CompletableFuture.runAsync(() -> sell(shop, left)))
                .toArray(CompletableFuture[]::new))
        .join();

    assertThat(left)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, items).mapToObj(String::valueOf).toList());
    assertThat(shops.get(0).post("/stock/" + ITEM + "/sell").statusCode()).isEqualTo(409);
  }

  private static void sell(Shop shop, List<String> left) {
    for (int i = 0; i < SALES; i++) {
      HttpResponse<String> sale = shop.post("/stock/" + ITEM + "/sell");
      assertThat(sale.statusCode()).as(shop::toString).isEqualTo(200);
      left.add(sale.body());
    }
  }

  private List<Shop> on(Framework framework) {
    return shops.stream().filter(shop -> shop.framework() == framework).toList();
  }

  /**
   * What the shops lock is what any other client locks by that name, and Spring's endpoints say so.
   */
  private void seeWhoHoldsAndWaits(Lockkeeper keeper) throws InterruptedException {
    List<CompletableFuture<HttpResponse<String>>> sales = new ArrayList<>();
    try (Lease lease = keeper.lock(LOCK).acquire()) {
      for (Shop shop : shops) {
        sales.add(shop.send("POST", "/stock/" + ITEM + "/sell"));
      }
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  keeper.admin().inspect(ResourceKind.LOCK, LOCK).waiters().size() == shops.size());
      for (Shop shop : on(Framework.SPRING_BOOT)) {
        assertThat(shop.get("/actuator/lockkeeper"))
            .as(shop::toString)
            .contains('"' + LOCK + '"', "a stocktaker");
        assertThat(shop.get("/actuator/lockkeeper/lock/" + LOCK))
            .as(shop::toString)
            .contains("\"token\":" + lease.token());
      }
      assertThat(sales).noneMatch(CompletableFuture::isDone);
    }
    sales.forEach(sale -> assertThat(sale.join().statusCode()).isEqualTo(409));
  }

  private void sellTogether(String url) throws InterruptedException {
    sellAll();
    try (Lockkeeper keeper =
        Lockkeeper.builder().namespace("shop").clientName("a stocktaker").connect(url)) {
      seeWhoHoldsAndWaits(keeper);
    }
  }

  @Test
  void theySellTogetherOnTheRedisOfTheApplication() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      start(jars("redis"), "spring.data.redis.url", server.url());
      sellTogether(server.url());
    }
  }

  @Test
  void theySellTogetherInTheDatabaseOfTheApplication() throws Exception {
    List<Path> jars = jars("jdbc");
    assumeTrue(
        System.getenv("CI") != null || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries()::whyNone);
    try (PostgresServer server = PostgresServer.start()) {
      start(jars, "spring.datasource.url", server.jdbcUrl());
      sellTogether(server.jdbcUrl());
    }
  }

  @Test
  void withoutAStoreTheySayWhatIsMissing() throws Exception {
    for (Path jar : jars("none")) {
      shops.add(Shop.start(jar, folder));
    }
    for (Shop shop : shops) {
      assertThat(shop.process().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(shop.process().exitValue()).as(shop::toString).isNotZero();
      assertThat(shop.output()).contains(missing(shop.framework()));
    }
  }

  private static List<String> missing(Framework framework) {
    return framework == Framework.SPRING_BOOT
        ? List.of(
            "APPLICATION FAILED TO START",
            "Add the module of a store",
            "Modules of stores on the class path: none.")
        : List.of("'redis'", "add the module io.lockkeeper:lockkeeper-redis");
  }
}

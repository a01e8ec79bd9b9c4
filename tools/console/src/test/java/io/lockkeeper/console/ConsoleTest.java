package io.lockkeeper.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperAdmin;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceGlance;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Finding;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a console answers, and to which requests. */
@SuppressWarnings("LockNotBeforeTry") // what it locks it looks at
class ConsoleTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Lockkeeper keeper = Lockkeeper.connect("memory:console-test");
  private final List<String> audit = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    keeper.close();
  }

  private Console open(ConsoleOptions options) {
    return Console.open(keeper, "memory:console-test", options);
  }

  private static HttpRequest.Builder request(Console console, String path) {
    return HttpRequest.newBuilder(URI.create(console.url()).resolve(path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> release(Console console, String origin, String body)
      throws Exception {
    return send(
        request(console, "release").header("Origin", origin).POST(BodyPublishers.ofString(body)));
  }

  private static String origin(Console console) {
    return "http://127.0.0.1:" + URI.create(console.url()).getPort();
  }

  /** Returns the next state that the console sends. */
  private JsonNode state(Console console) throws Exception {
    return events(console, state -> true);
  }

  /** Returns the first state that is wanted, of those that the console sends. */
  private JsonNode events(Console console, Predicate<JsonNode> isWanted) throws Exception {
    HttpResponse<InputStream> events =
        http.send(request(console, "events").build(), BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      while (true) {
        String line = lines.readLine();
        if (line.startsWith("data: ")) {
          JsonNode state = JSON.readTree(line.substring("data: ".length()));
          if (isWanted.test(state)) {
            return state;
          }
        }
      }
    }
  }

  private static String wish(JsonNode resource, String again) {
    JsonNode holder = resource.at("/holders/0");
    return JSON.createObjectNode()
        .put("store", 0)
        .put("kind", resource.path("kind").asText())
        .put("name", resource.path("name").asText())
        .put("clientId", holder.path("clientId").asText())
        .put("grant", holder.path("grant").asText())
        .put("again", again)
        .toString();
  }

  /** One that is away keeps nobody from seeing the other, nor from acting there. */
  @Test
  void severalStoresAreShownEachForItself() throws Exception {
    try (Lockkeeper other = Lockkeeper.connect("memory:console-test-2");
        Lockkeeper down =
            Lockkeeper.builder()
                .storeTimeout(Duration.ofMillis(200))
                .connectLater()
                .connect(
                    context -> {
                      throw new StoreUnavailableException("it is down", null);
                    });
        Console console =
            Console.open(
                "three",
                List.of(
                    new ConsoleStore("first", keeper),
                    new ConsoleStore("second", other),
                    new ConsoleStore("third", down)),
                ConsoleOptions.defaults().withRelease(audit::add))) {
      Lease lease = other.lock("b").acquire(); // and it is not to be released
      Map<Integer, JsonNode> states = new HashMap<>();
      events(
          console,
          state -> {
            states.put(state.path("store").asInt(-1), state);
            return states.size() == 3;
          });

      assertThat(send(request(console, "about")).body()).contains("first", "second", "third");
      assertThat(states.get(0).path("resources").asInt(-1)).isZero();
      assertThat(states.get(1).at("/listed/0/name").asText()).isEqualTo("b");
      assertThat(states.get(2).path("away").asText()).isNotEmpty();
      ObjectNode wish = (ObjectNode) JSON.readTree(wish(states.get(1).at("/listed/0"), "b"));
      for (int store : List.of(0, 2, 3, -1)) { // where it is not held, or nobody knows
        String body = wish.put("store", store).toString();
        assertThat(release(console, origin(console), body).statusCode()).isNotEqualTo(200);
      }
      assertThat(lease.isValid()).isTrue();
      String body = wish.put("store", 1).toString();
      assertThat(release(console, origin(console), body).body()).isEqualTo("released");
      assertThat(audit).last().asString().contains("lock 'b' in second, held by");
      assertThat(other.admin().inspect(ResourceQuery.prefix("b").limit(1))).isEmpty();
    }
  }

  private HttpResponse<String> post(Console console, String path, String body) throws Exception {
    return send(
        request(console, path)
            .header("Origin", origin(console))
            .POST(BodyPublishers.ofString(body)));
  }

  /** An operator that does not know the namespace of an application finds it in the list. */
  @Test
  void aNamespaceIsChosenFromThoseOfTheStore() throws Exception {
    List<Lockkeeper> opened = new CopyOnWriteArrayList<>();
    ConsoleStore store =
        new ConsoleStore("first", keeper)
            .withNamespaces(
                new ConsoleStore.Namespaces(
                    "lockkeeper",
                    namespace -> {
                      Lockkeeper there =
                          Lockkeeper.builder().namespace(namespace).connect("memory:console-test");
                      opened.add(there);
                      return new ConsoleStore(namespace, there);
                    }));
    try (Lockkeeper shop = Lockkeeper.builder().namespace("shop").connect("memory:console-test");
        Lease own = keeper.lock("here").acquire();
        Lease lease = shop.lock("there").acquire();
        Console console = Console.open("it", List.of(store), ConsoleOptions.defaults());
        Console fixed = open(ConsoleOptions.defaults())) {
      assertThat(JSON.readTree(post(console, "namespaces/0", "").body()))
          .extracting(JsonNode::asText)
          .containsExactly("lockkeeper", "shop");

      String wish = "{\"store\": 0, \"namespace\": \"shop\"}";
      assertThat(post(console, "namespace", wish).body()).isEqualTo("1");

      JsonNode about = JSON.readTree(send(request(console, "about")).body());
      assertThat(about.at("/stores/1/name").asText()).isEqualTo("shop");
      assertThat(about.at("/stores/1/mayChoose").asBoolean()).isFalse();
      JsonNode state = events(console, one -> one.path("store").asInt() == 1);
      assertThat(state.at("/listed/0/name").asText()).isEqualTo("there");
      assertThat(post(console, "namespace", wish).body()).as("once more").isEqualTo("1");
      assertThat(post(console, "namespace", wish.replace("shop", "lockkeeper")).body())
          .as("the one that is shown at first")
          .isEqualTo("0");
      assertThat(opened).hasSize(1);
      assertThat(post(console, "namespace", wish.replace("shop", "a\\u0001")).statusCode())
          .as("no namespace")
          .isEqualTo(400);
      assertThat(post(console, "namespace", wish.replace("0", "7")).statusCode()).isEqualTo(400);
      assertThat(post(console, "namespaces/7", "").statusCode()).isEqualTo(404);
      assertThat(post(fixed, "namespaces/0", "").statusCode()).isEqualTo(403);
      assertThat(post(fixed, "namespace", wish).statusCode()).isEqualTo(403);
      assertThat(own.isValid() && lease.isValid()).isTrue();
    } finally {
      opened.forEach(Lockkeeper::close);
    }
  }

  /** Browsers that watch already see it too. */
  @Test
  void whatIsChosenIsLookedAtForAllWhoWatch() throws Exception {
    try (Lockkeeper shop = Lockkeeper.builder().namespace("shop").connect("memory:console-test");
        Console console =
            Console.open(
                "it",
                List.of(
                    new ConsoleStore("first", keeper)
                        .withNamespaces(
                            new ConsoleStore.Namespaces(
                                "lockkeeper", name -> new ConsoleStore(name, shop)))),
                ConsoleOptions.defaults())) {
      AtomicInteger states = new AtomicInteger();
      events(
          console,
          state -> {
            if (states.getAndIncrement() == 0) {
              String wish = "{\"store\": 0, \"namespace\": \"shop\"}";
              assertThatCode(() -> post(console, "namespace", wish)).doesNotThrowAnyException();
            }
            return state.path("store").asInt() == 1;
          });
    }
  }

  @Test
  void itShowsWhoHoldsAndWhoWaits() throws Exception {
    try (Lease lease = keeper.lock("a").acquire();
        Lease permit = keeper.semaphore("s", 3).acquire();
        Console console = open(ConsoleOptions.defaults())) {
      var waiting = keeper.fairLock("a").acquireAsync().toCompletableFuture();
      await()
          .until(() -> keeper.admin().inspect().stream().anyMatch(one -> !one.waiters().isEmpty()));

      JsonNode state = state(console);

      assertThat(state.path("resources").asInt()).isEqualTo(2);
      assertThat(state.path("held").asInt()).isEqualTo(2);
      assertThat(state.path("waiting").asInt()).isEqualTo(1);
      assertThat(state.path("clients").asInt()).isEqualTo(1);
      JsonNode first = state.at("/listed/0"); // the one that is waited for
      assertThat(first.path("name").asText()).isEqualTo("a");
      assertThat(first.at("/holders/0/token").asText()).isEqualTo(String.valueOf(lease.token()));
      assertThat(first.at("/waiters").size()).isEqualTo(1);
      assertThat(first.at("/why/0").asText()).startsWith("lock 'a' is held by");
      assertThat(permit.isValid()).isTrue();
      lease.release();
      waiting.get().release();
    }
  }

  @Test
  void aListThatIsTooLongIsCutAndTheSumsAreOverAll() throws Exception {
    try (Console console = open(ConsoleOptions.defaults().withMostListed(2))) {
      for (int i = 0; i < 5; i++) {
        keeper.lock("lock " + i).acquire();
      }

      JsonNode state = state(console);

      assertThat(state.path("resources").asInt()).isEqualTo(5);
      assertThat(state.path("listed").size()).isEqualTo(2);
    }
  }

  @Test
  void aStrangerGetsNothing() throws Exception {
    try (Console console = open(ConsoleOptions.defaults().withRelease(audit::add))) {
      String url = console.url();
      assertThat(send(request(console, "")).statusCode()).isEqualTo(200);
      for (String path : List.of("/", "/events", "/" + "0".repeat(32) + "/", "no")) {
        assertThat(send(request(console, path)).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(
              send(HttpRequest.newBuilder(URI.create(url.replace("127.0.0.1", "localhost"))))
                  .statusCode())
          .as("another Host")
          .isEqualTo(404);
      assertThat(send(request(console, "").header("Origin", "http://evil.example")).statusCode())
          .as("another page's request")
          .isEqualTo(404);
      assertThat(release(console, "http://evil.example", "{}").statusCode()).isEqualTo(404);
      assertThat(send(request(console, "release").POST(BodyPublishers.ofString("{}"))).statusCode())
          .as("no Origin")
          .isEqualTo(404);
      assertThat(audit).isEmpty();
    }
  }

  /** Another name that leads here has its own Host, which HttpClient does not let a test set. */
  @Test
  void aNameThatWasMadeToLeadHereIsRefused() throws IOException {
    try (Console console = open(ConsoleOptions.defaults())) {
      URI url = URI.create(console.url());
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
        String request =
            "GET "
                + url.getPath()
                + " HTTP/1.1\r\nHost: evil.example:"
                + url.getPort()
                + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String status =
            new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        assertThat(status).contains("404");
      }
    }
  }

  @Test
  void onlyItsOwnScriptRuns() throws Exception {
    try (Console console = open(ConsoleOptions.defaults())) {
      HttpResponse<String> page = send(request(console, ""));
      String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
      String nonce = policy.replaceFirst("(?s).*'nonce-([0-9a-f]+)'.*", "$1");

      assertThat(policy).contains("default-src 'none'", "frame-ancestors 'none'");
      assertThat(page.body()).contains("<script nonce=\"" + nonce + "\">");
      assertThat(send(request(console, "")).body()).doesNotContain(nonce);
    }
  }

  @Test
  void aReleaseIsForcedWhenItsNameIsGivenAgainAndIsAudited() throws Exception {
    Lease lease = keeper.lock("a").acquire(); // and it is not to be released
    try (Console console = open(ConsoleOptions.defaults().withRelease(audit::add))) {
      JsonNode resource = state(console).at("/listed/0");

      assertThat(release(console, origin(console), wish(resource, "b")).statusCode())
          .isEqualTo(400);
      assertThat(release(console, origin(console), "{").statusCode()).isEqualTo(400);
      assertThat(lease.isValid()).isTrue();
      assertThat(audit).isEmpty();

      assertThat(release(console, origin(console), wish(resource, "a")).body())
          .isEqualTo("released");
      assertThat(keeper.lock("a").tryLock()).isTrue();
      assertThat(audit).hasSize(1);
      assertThat(audit.get(0))
          .contains(
              System.getProperty("user.name"),
              "forces the release of lock 'a'",
              "token " + lease.token() + ": released");

      assertThat(release(console, origin(console), wish(resource, "a")).statusCode())
          .as("it is another one's by now")
          .isEqualTo(409);
      assertThat(audit.get(1)).endsWith("nothing changed");
      keeper.lock("a").unlock();
    }
  }

  /** It may have been released: only the answer was lost. */
  @Test
  void aReleaseWhoseAnswerIsLostIsAuditedToo() throws Exception {
    Lockkeeper unanswered =
        withAdmin(
            (proxy, method, arguments) -> {
              Object result = method.invoke(keeper.admin(), arguments);
              if (method.getName().equals("forceRelease")) {
                throw new StoreUnavailableException("redis://:s3cret@it does not answer", null);
              }
              return result;
            });
    keeper.lock("a").acquire(); // and it is not to be released
    try (Console console =
        Console.open(unanswered, "it", ConsoleOptions.defaults().withRelease(audit::add))) {
      JsonNode resource = state(console).at("/listed/0");

      assertThat(release(console, origin(console), wish(resource, "a")).statusCode())
          .isEqualTo(503);

      assertThat(audit)
          .singleElement()
          .asString()
          .contains("lock 'a'", "perhaps released")
          .doesNotContain("s3cret");
    }
  }

  @Test
  void withoutLeaveItChangesNothing() throws Exception {
    try (Lease lease = keeper.lock("a").acquire();
        Console console = open(ConsoleOptions.defaults())) {
      JsonNode resource = state(console).at("/listed/0");

      assertThat(release(console, origin(console), wish(resource, "a")).statusCode())
          .isEqualTo(403);
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aStoreThatIsAwayIsSaid() throws Exception {
    try (Lockkeeper later =
            Lockkeeper.builder()
                .storeTimeout(Duration.ofMillis(200))
                .connectLater()
                .connect(
                    context -> {
                      throw new StoreUnavailableException("it is down", null);
                    });
        Console console = Console.open(later, "down", ConsoleOptions.defaults())) {
      assertThat(state(console).path("away").asText()).isNotEmpty();
    }
  }

  @Test
  void whatIsSaidOfAStoreThatIsAwayHasNoSecrets() throws Exception {
    try (Lockkeeper later =
            Lockkeeper.builder()
                .storeTimeout(Duration.ofMillis(200))
                .connectLater()
                .connect(
                    context -> {
                      throw new StoreUnavailableException("redis://:s3cret@down is down", null);
                    });
        Console console = Console.open(later, "down", ConsoleOptions.defaults())) {
      assertThat(state(console).path("away").asText()).isNotEmpty().doesNotContain("s3cret");
    }
  }

  @Test
  void countersSharedValuesAndLatchesAreShown() throws Exception {
    keeper.counter("orders").addAndGet(42);
    keeper.sharedValue("setting").set(new byte[] {1, 2, 3});
    keeper.countDownLatch("ready").trySetCount(2);
    try (Console console = open(ConsoleOptions.defaults())) {
      JsonNode state = state(console);

      assertThat(state.path("cells").findValuesAsText("name"))
          .containsExactly("orders", "ready", "setting");
      assertThat(state.at("/cells/0/number").asText()).isEqualTo("42");
      assertThat(state.at("/cells/2/number").isNull()).as("a value may be a secret").isTrue();
      assertThat(state.at("/cells/2/size").asInt()).isEqualTo(3);
      assertThat(state.path("hasMoreCells").asBoolean()).isFalse();
    } finally {
      keeper.counter("orders").delete();
      keeper.sharedValue("setting").delete();
      keeper.countDownLatch("ready").delete();
    }
  }

  @Test
  void clientsElectionsAndSemaphoresHaveViewsOfTheirOwn() throws Exception {
    try (Lockkeeper other =
            Lockkeeper.builder().clientName("other").connect("memory:console-test");
        PermitLease permits = other.semaphore("printers", 5).acquire(2);
        Lease lease = keeper.lock("a").acquire();
        Console console = open(ConsoleOptions.defaults())) {
      JsonNode state = state(console);

      assertThat(permits.isValid() && lease.isValid()).isTrue();
      assertThat(state.path("clientList").size()).isEqualTo(2);
      assertThat(state.path("clientList").findValuesAsText("clientId"))
          .containsExactlyInAnyOrder(keeper.clientId(), other.clientId());
      assertThat(state.at("/clientList/0/holds").asInt()).isEqualTo(1);
      assertThat(state.path("semaphores").size()).isEqualTo(1);
      assertThat(state.at("/semaphores/0/limit").asInt()).isEqualTo(5);
      assertThat(state.at("/semaphores/0/taken").asInt()).isEqualTo(2);
      assertThat(state.path("elections").isEmpty()).isTrue();
    }
  }

  @Test
  void allWhoHoldItStandInTheWay() throws Exception {
    try (Lockkeeper other =
            Lockkeeper.builder().clientName("other").connect("memory:console-test");
        Lease one = keeper.readWriteLock("book").readLock().acquire();
        Lease two = other.readWriteLock("book").readLock().acquire();
        Console console = open(ConsoleOptions.defaults())) {
      var writer = keeper.readWriteLock("book").writeLock().acquireAsync().toCompletableFuture();
      await()
          .until(
              () ->
                  keeper.admin().inspect().stream()
                      .anyMatch(report -> !report.waiters().isEmpty()));

      JsonNode why = state(console).at("/listed/0/why");

      assertThat(why.size()).isEqualTo(2);
      assertThat(why.toString()).contains("of other");
      one.release();
      two.release();
      writer.get().release();
    }
  }

  /** Each look is at a part; after a round of them all were seen, and what is over goes. */
  @Test
  void manyAreLookedAtInParts() throws Exception {
    int many = 2 * Survey.PART + 10;
    for (int i = 0; i < many; i++) {
      keeper.lock("part " + i).lock();
    }
    Survey survey = new Survey(keeper);
    survey.look();
    assertThat(survey.seen()).hasSize(Survey.PART);
    assertThat(survey.isWhole()).isFalse();
    assertThat(survey.isDivided()).isTrue();
    survey.look();
    survey.look();
    assertThat(survey.seen()).hasSize(many);
    assertThat(survey.isWhole()).isTrue();

    for (int i = 0; i < many; i++) {
      keeper.lock("part " + i).unlock();
    }
    try (Lease left = keeper.lock("left").acquire()) {
      await().until(() -> keeper.admin().inspect().size() == 1);
      for (int i = 0; i < 4; i++) { // one for the cells
        survey.look();
      }
      assertThat(survey.seen()).hasSize(1);
      assertThat(survey.isWhole()).isTrue();
      assertThat(left.isValid()).isTrue();
    }
  }

  @Test
  void whatMattersMostIsSeenInEachLook() {
    int many = Survey.PART + 10;
    for (int i = 0; i < many; i++) {
      keeper.lock("part " + i).lock();
    }
    Survey survey = new Survey(keeper);
    survey.look();
    survey.look();
    assertThat(survey.isWhole()).isTrue();
    survey.look(); // at the cells

    Survey.Seen first = survey.seen().stream().min(Survey.BY_URGENCY).orElseThrow();

    assertThat(survey.isNew(first)).isTrue();
    assertThat(survey.seen().stream().filter(survey::isNew).count()).isLessThan(many);
    for (int i = 0; i < many; i++) {
      keeper.lock("part " + i).unlock();
    }
  }

  /** Has each look glance, and counts what is asked about. */
  private Lockkeeper glancing(AtomicInteger asked) {
    return withAdmin(
        (proxy, method, arguments) -> {
          if (method.getName().equals("glance")) {
            return Optional.of(keeper.admin().inspect().stream().map(ConsoleTest::glance).toList());
          }
          if (arguments != null && arguments[0] instanceof Collection<?> some) {
            asked.addAndGet(some.size());
          }
          return method.invoke(keeper.admin(), arguments);
        });
  }

  private Lockkeeper withAdmin(InvocationHandler handler) {
    LockkeeperAdmin admin = proxy(LockkeeperAdmin.class, handler);
    return proxy(
        Lockkeeper.class,
        (proxy, method, arguments) ->
            method.getName().equals("admin") ? admin : method.invoke(keeper, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static ResourceGlance glance(ResourceReport report) {
    String stamp =
        report.holders().stream().map(HolderReport::token).toList()
            + "|"
            + report.waiters().stream().map(waiter -> waiter.client().id()).toList();
    Duration lease = report.holders().isEmpty() ? null : report.holders().get(0).leaseLeft();
    return new ResourceGlance(report.kind(), report.name(), stamp, lease);
  }

  @Test
  void whereAStoreGlancesALookShowsAllAndAsksAboutChanges() throws Exception {
    int many = 2 * Survey.PART + 10;
    for (int i = 0; i < many; i++) {
      keeper.lock("part " + i).lock();
    }
    AtomicInteger asked = new AtomicInteger();
    Survey survey = new Survey(glancing(asked));
    survey.look();
    assertThat(survey.seen()).hasSize(Survey.PART);
    assertThat(survey.isWhole()).isFalse();
    survey.look();
    survey.look();
    assertThat(survey.seen()).hasSize(many);
    assertThat(survey.isWhole()).isTrue();
    assertThat(survey.isDivided()).isFalse();
    asked.set(0);
    keeper.lock("part 0").unlock();
    Lease begun = keeper.lock("new").acquire();
    await().until(() -> keeper.admin().inspect(ResourceKind.LOCK, "part 0").isIdle());
    long begin = System.nanoTime();

    survey.look();

    assertThat(survey.seen())
        .hasSize(many)
        .allMatch(one -> one.nanos() - begin >= 0)
        .extracting(one -> one.report().name())
        .contains("new")
        .doesNotContain("part 0");
    assertThat(asked).hasValueLessThan(Survey.PART / 2);
    int looksAtAll = 0;
    for (int i = 0; i < 20; i++) {
      long next = System.nanoTime();
      survey.look();
      looksAtAll += survey.seen().stream().allMatch(one -> one.nanos() - next >= 0) ? 1 : 0;
      assertThat(survey.isWhole()).isTrue();
      assertThat(survey.isDivided()).isFalse();
    }
    assertThat(looksAtAll).as("but for two at the cells").isEqualTo(18);
    begun.release();
    for (int i = 1; i < many; i++) {
      keeper.lock("part " + i).unlock();
    }
  }

  @Test
  void aReportHoldsAsLongAsItsStampAndItsLeases() throws Exception {
    try (Lease lease = keeper.semaphore("s", 3).acquire()) {
      ResourceReport report = keeper.admin().inspect(ResourceKind.SEMAPHORE, "s");
      long left = report.holders().get(0).leaseLeft().toNanos();
      Survey.Seen seen = new Survey.Seen(report, "a", 1, 1, 0);
      ResourceGlance same = new ResourceGlance(ResourceKind.SEMAPHORE, "s", "a", null);
      ResourceGlance other = new ResourceGlance(ResourceKind.SEMAPHORE, "s", "b", null);

      assertThat(seen.stillHolds(same, left - 1)).isTrue();
      assertThat(seen.stillHolds(other, left - 1)).isFalse();
      assertThat(seen.stillHolds(same, left)).isFalse();
      HolderReport later = seen.carriedOn(same, 2, left - 1).report().holders().get(0);
      assertThat(later.leaseLeft()).isEqualTo(Duration.ofNanos(1));
      assertThat(later.held())
          .isEqualTo(report.holders().get(0).held().plus(Duration.ofNanos(left - 1)));
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void theDoctorIsAskedOnDemand() throws Exception {
    ConsoleStore store =
        new ConsoleStore("it", keeper)
            .withDoctor(() -> List.of(Finding.warn("eviction", "it is on", "switch it off")));
    try (Console console = open(ConsoleOptions.defaults());
        Console examining = Console.open("it", List.of(store), ConsoleOptions.defaults())) {
      assertThat(doctor(console, origin(console)).statusCode()).isEqualTo(403);
      assertThat(doctor(examining, "http://evil.example").statusCode()).isEqualTo(404);

      JsonNode found = JSON.readTree(doctor(examining, origin(examining)).body());

      assertThat(found.size()).isEqualTo(1);
      assertThat(found.at("/0/verdict").asText()).isEqualTo("warn");
      assertThat(found.at("/0/advice").asText()).isEqualTo("switch it off");
    }
  }

  @Test
  void aDoctorThatFailsSaysWhyWithoutSecrets() throws Exception {
    ConsoleStore failing =
        new ConsoleStore("it", keeper)
            .withDoctor(
                () -> {
                  throw new IOException("redis://:s3cret@down is down");
                });
    try (Console console = Console.open("it", List.of(failing), ConsoleOptions.defaults())) {
      HttpResponse<String> answer = doctor(console, origin(console));
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).isEqualTo("redis://***@down is down");
    }
  }

  private HttpResponse<String> doctor(Console console, String origin) throws Exception {
    return send(
        request(console, "doctor/0").header("Origin", origin).POST(BodyPublishers.noBody()));
  }

  @Test
  void optionsAreChecked() {
    ConsoleOptions options = ConsoleOptions.defaults();
    assertThatIllegalArgumentException().isThrownBy(() -> options.withPort(70_000));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withRefresh(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMostListed(0));
  }
}

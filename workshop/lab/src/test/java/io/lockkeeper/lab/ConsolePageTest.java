package io.lockkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.console.Console;
import io.lockkeeper.console.ConsoleEvents;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import io.lockkeeper.console.ConsoleView;
import io.lockkeeper.console.LocalPage;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Finding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a browser, on a real Redis. */
@Tag("full")
class ConsolePageTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MANY = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROWS = "document.getElementById('rows').innerText";
  private static final String STATUS = "document.getElementById('status').textContent";

  @TempDir private Path folder;
  private final List<String> audit = new CopyOnWriteArrayList<>();

  private static void assumeBrowser() {
    assumeTrue(
        Browser.program().isPresent(),
        "no Chromium: install the package chromium to have the page tested in a browser");
  }

  private Browser browser(String url) throws Exception {
    return Browser.open(Files.createDirectory(folder.resolve("profile")), url);
  }

  private static Lockkeeper client(RedisServer server, String name) {
    return Lockkeeper.builder()
        .clientName(name)
        .storeTimeout(Duration.ofSeconds(2))
        .connect(server.url() + "?afterLoss=grant");
  }

  @Test
  void aThousandResourcesAStoreThatGoesAndComesAndAForcedRelease() throws Exception {
    assumeBrowser();
    try (RedisServer server = RedisServer.start();
        Lockkeeper till = client(server, "till 1");
        Lockkeeper other = client(server, "till 2");
        Lockkeeper own = client(server, "console");
        Console console =
            Console.open(
                own, "the test's Redis", ConsoleOptions.defaults().withRelease(audit::add));
        Browser browser = browser(console.url())) {
      List<CompletableFuture<Lease>> held = new CopyOnWriteArrayList<>();
      for (int i = 0; i < MANY; i++) {
        held.add(till.lock("stock:" + i).acquireAsync().toCompletableFuture());
      }
      CompletableFuture.allOf(held.toArray(CompletableFuture<?>[]::new)).join();
      CompletableFuture<Lease> waits = other.lock("stock:7").acquireAsync().toCompletableFuture();

      browser.resize(1_000, 700);
      browser.await("document.getElementById('tiles').innerText.includes('1000')", LIMIT);
      browser.await("document.querySelectorAll('#rows > tr').length == 500", LIMIT);
      browser.await(
          "document.querySelector('#rows button').textContent == \"lock 'stock:7'\"", LIMIT);
      browser.eval("document.querySelector('#rows button').focus()");
      browser.press("Enter");
      browser.await("document.querySelector('.details').innerText.includes('till 2')", LIMIT);
      assertThat(browser.eval("document.querySelector('.details').innerText").asText())
          .contains("Why they wait", "lock 'stock:7' is held by a thread of till 1");
      assertThat(browser.screenshot()).hasSizeBetween(1_000, 150_000);
      browser.resize(360, 700);
      browser.await(
          "document.documentElement.scrollWidth <= document.documentElement.clientWidth", LIMIT);

      browser.eval("document.querySelector('.details button').click()");
      browser.eval("document.getElementById('again').value = 'stock'");
      browser.eval("document.getElementById('force').click()");
      browser.await(
          "document.getElementById('said').textContent.includes('does not match')", LIMIT);
      assertThat(waits).isNotDone();
      browser.eval("document.getElementById('again').value = 'stock:7'");
      browser.eval("document.getElementById('force').click()");
      browser.await("!document.getElementById('dialog').open", LIMIT);
      waits.join().release();
      assertThat(audit).singleElement().asString().contains("lock 'stock:7', held by till 1");

      server.freeze();
      browser.await(STATUS + ".includes('does not answer')", LIMIT);
      server.thawIfFrozen();
      browser.await(STATUS + " == 'live'", LIMIT);

      server.kill();
      browser.await(STATUS + ".includes('does not answer')", LIMIT);
      assertThat(browser.eval(STATUS).asText()).contains("what is shown is");
      server.restart(RedisServer.Data.LOST);
      browser.await(STATUS + " == 'live'", LIMIT);
    }
  }

  /** What a person would look at in an incident, in dark mode too. */
  @Test
  void viewsADrawingOfWhoWaitsForWhomAndTheDoctor() throws Exception {
    assumeBrowser();
    try (RedisServer server = RedisServer.start();
        Lockkeeper till = client(server, "till 1");
        Lockkeeper other = client(server, "till 2");
        Lockkeeper third = client(server, "till 3");
        Lockkeeper fourth = client(server, "till 4");
        Lockkeeper own = client(server, "console");
        Console console =
            Console.open(
                "the test's Redis", List.of(examined(own, "it")), ConsoleOptions.defaults());
        Browser browser = browser(console.url());
        Lease two = other.readWriteLock("prices").readLock().acquire();
        PermitLease permits = third.semaphore("printers", 5).acquire(2)) {
      till.counter("orders").addAndGet(42);
      Lease stock = fourth.lock("stock").acquire();
      ExecutorService worker = Executors.newSingleThreadExecutor(); // holds one, waits for another
      Lease one = worker.submit(() -> till.readWriteLock("prices").readLock().acquire()).get();
      Future<Lease> waits = worker.submit(() -> till.fairLock("stock").acquire());
      var writes = third.readWriteLock("prices").writeLock().acquireAsync().toCompletableFuture();

      browser.resize(1_000, 700);
      browser.await("document.querySelectorAll('#rows > tr').length == 3", LIMIT);
      browser.await("document.querySelector('#basis').innerText.includes('all resources')", LIMIT);
      browser.await(
          "[...document.querySelectorAll('#rows button')].some(b => b.innerText.includes('prices')"
              + " && b.closest('tr').children[4].innerText == '1')",
          LIMIT);
      browser.eval(
          "[...document.querySelectorAll('#rows button')]"
              + ".find(b => b.innerText.includes('prices')).click()");
      browser.await("document.querySelectorAll('.details svg g').length == 6", LIMIT);
      String drawn = browser.eval("document.querySelector('.details svg').textContent").asText();
      assertThat(drawn).contains("till 1", "till 2", "till 3", "till 4", "prices", "stock");
      assertThat(browser.eval("document.querySelector('.details').innerText").asText())
          .contains("is held by", "till 1", "till 2");
      keep("console", browser.screenshot());
      browser.prefer("dark");
      keep("console-dark", browser.screenshot());

      assertView(browser, "clients", "till 3");
      assertView(browser, "permits", "printers");
      assertView(browser, "cells", "counter 'orders'");
      keep("console-cells", browser.screenshot());
      browser.eval("document.getElementById('examine').click()");
      browser.await("document.getElementById('found').innerText.includes('switch it')", LIMIT);
      browser.resize(360, 700);
      browser.await(
          "document.documentElement.scrollWidth <= document.documentElement.clientWidth", LIMIT);

      stock.release();
      one.release();
      two.release();
      waits.get().release();
      writes.join().release();
      worker.shutdown();
      assertThat(permits.isValid()).isTrue();
    }
  }

  private static ConsoleStore examined(Lockkeeper keeper, String name) {
    return new ConsoleStore(name, keeper)
        .withDoctor(() -> List.of(Finding.warn("eviction", "it is on", "switch it off")));
  }

  /** One goes away: the other goes on, and what was seen of the first stays. */
  @Test
  void severalStoresAreShownTogetherAndOneByOne() throws Exception {
    assumeBrowser();
    String file = "jdbc:sqlite:" + folder.resolve("locks.db");
    try (RedisServer server = RedisServer.start();
        Lockkeeper redis = client(server, "till 1");
        Lockkeeper sqlite = Lockkeeper.builder().clientName("till 2").connect(file);
        Console console =
            Console.open(
                "two",
                List.of(examined(redis, "the Redis"), examined(sqlite, "the file")),
                ConsoleOptions.defaults().withRelease(audit::add));
        Browser browser = browser(console.url())) {
      Lease stock = redis.lock("stock").acquire();
      try (Lease prices = sqlite.lock("prices").acquire()) {
        assertTwoStores(browser, "the Redis", "the file");

        browser.eval("document.getElementById('examine').click()");
        browser.await(
            "document.getElementById('found').innerText.split('switch it').length == 2", LIMIT);
        choose(browser, "");
        browser.eval("document.getElementById('examine').click()");
        browser.await(
            "document.getElementById('found').innerText.split('switch it').length == 3", LIMIT);

        server.kill();
        browser.await(STATUS + ".includes('the Redis does not answer')", LIMIT);
        assertThat(browser.eval(STATUS).asText()).doesNotContain("the file");
        try (Lease later = sqlite.lock("later").acquire()) {
          browser.await(ROWS + ".includes('later')", LIMIT);
          assertThat(browser.eval(ROWS).asText()).contains("stock", "prices");
          assertThat(later.isValid() && prices.isValid()).isTrue();
        }
        server.restart(RedisServer.Data.LOST);
        browser.await(STATUS + " == 'live'", LIMIT);
        browser.await("!" + ROWS + ".includes('stock')", LIMIT);
        assertThat(stock.token()).isPositive();
      }
    }
  }

  /** Without knowledge of the application's namespace. */
  @Test
  void aNamespaceIsFoundAndChosen() throws Exception {
    assumeBrowser();
    String url = "memory:console-page-namespaces";
    List<Lockkeeper> opened = new CopyOnWriteArrayList<>();
    try (Lockkeeper first = Lockkeeper.connect(url);
        Lockkeeper shop = Lockkeeper.builder().namespace("shop").clientName("till 1").connect(url);
        Lease stock = shop.lock("stock").acquire();
        Console console =
            Console.open(
                "it",
                List.of(
                    new ConsoleStore("it, namespace lockkeeper", first)
                        .withNamespaces(
                            new ConsoleStore.Namespaces(
                                "lockkeeper",
                                name -> {
                                  opened.add(Lockkeeper.builder().namespace(name).connect(url));
                                  return new ConsoleStore(
                                      "it, namespace " + name, opened.get(opened.size() - 1));
                                }))),
                ConsoleOptions.defaults());
        Browser browser = browser(console.url())) {
      browser.resize(1_000, 500);
      browser.await(STATUS + " == 'live'", LIMIT);
      assertThat(browser.eval(ROWS).asText()).isEmpty();

      browser.eval("document.getElementById('others').click()");
      browser.await("!document.getElementById('choice').hidden", LIMIT);
      keep("console-namespaces", browser.screenshot());
      browser.eval(
          "const list = document.getElementById('namespace');"
              + " list.value = [...list.options].find(o => o.text == 'shop').value;"
              + " list.dispatchEvent(new Event('change'))");
      browser.await(ROWS + ".includes('till 1')", LIMIT);

      assertThat(browser.eval("document.getElementById('store').selectedOptions[0].text").asText())
          .isEqualTo("it, namespace shop");
      keep("console-namespace", browser.screenshot());
      assertThat(stock.isValid()).isTrue();
    } finally {
      opened.forEach(Lockkeeper::close);
    }
  }

  /** As an application serves it, with the stream of each browser in its own hands. */
  @Test
  void aPageOfAnApplicationListensUnlessItIsHidden() throws Exception {
    assumeBrowser();
    HttpServer server = HttpServer.create(loopback(), 0);
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    List<BlockingQueue<String>> browsers = new CopyOnWriteArrayList<>();
    try (Lockkeeper keeper = Lockkeeper.connect("memory:console-page-events")) {
      ConsoleView view =
          new ConsoleView(
              "it", List.of(new ConsoleStore("one", keeper)), ConsoleOptions.defaults());
      try (ConsoleEvents events =
          new ConsoleEvents(
              view,
              () -> !browsers.isEmpty(),
              (store, json) -> browsers.forEach(each -> each.add(json)))) {
        serve(server, "/console", "text/html", ConsolePageTest::page);
        serve(
            server,
            "/console/about",
            "application/json",
            () -> JSON.writeValueAsString(view.about()));
        server.createContext("/console/events", exchange -> stream(exchange, browsers, events));
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/console";
        try (Browser browser = browser(url)) {
          browser.await(STATUS + " == 'live'", LIMIT);
          try (Lease stock = keeper.lock("stock").acquire()) {
            browser.await(ROWS + ".includes('stock')", LIMIT);
            assertThat(stock.isValid()).isTrue();
          }
          browser.await("!" + ROWS + ".includes('stock')", LIMIT);

          hide(browser, true);
          await().atMost(LIMIT).until(browsers::isEmpty);
          try (Lease prices = keeper.lock("prices").acquire()) {
            hide(browser, false);
            browser.await(ROWS + ".includes('prices')", LIMIT);
            assertThat(prices.isValid()).isTrue();
          }
          threads.shutdownNow();
          server.stop(0);
          browser.await(STATUS + ".includes('has ended or is not reachable')", LIMIT);
        }
      }
    } finally {
      threads.shutdownNow();
      server.stop(0);
    }
  }

  private static void hide(Browser browser, boolean hidden) throws Exception {
    browser.eval(
        "Object.defineProperty(document, 'hidden', {value: "
            + hidden
            + ", configurable: true}); document.dispatchEvent(new Event('visibilitychange'))");
  }

  private static void stream(
      HttpExchange exchange, List<BlockingQueue<String>> browsers, ConsoleEvents events)
      throws IOException {
    BlockingQueue<String> mine = new LinkedBlockingQueue<>();
    browsers.add(mine);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      events.begin((store, json) -> mine.add(json));
      while (true) {
        String event = LocalPage.event(ConsoleEvents.NAME, mine.take());
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the test ends
    } finally {
      browsers.remove(mine);
    }
  }

  /** As an application serves it that leaves its headers to others, such as Spring's actuator. */
  @Test
  void aPageThatPollsBringsItsPolicyAlong() throws Exception {
    assumeBrowser();
    HttpServer server = HttpServer.create(loopback(), 0);
    try (Lockkeeper one = Lockkeeper.connect("memory:console-page-1");
        Lockkeeper two = Lockkeeper.connect("memory:console-page-2");
        Lease stock = one.lock("stock").acquire();
        Lease prices = two.lock("prices").acquire()) {
      ConsoleView view =
          new ConsoleView(
              "it",
              List.of(new ConsoleStore("one", one), new ConsoleStore("two", two)),
              ConsoleOptions.defaults());
      serve(server, "/console", "text/html", ConsolePageTest::page);
      serve(
          server,
          "/console/about",
          "application/json",
          () -> JSON.writeValueAsString(view.about()));
      for (int i = 0; i < 2; i++) {
        int store = i;
        serve(
            server,
            "/console/state/" + i,
            "application/json",
            () -> JSON.writeValueAsString(view.state(store)));
      }
      server.start();
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/console";
      try (Browser browser = browser(url)) {
        assertTwoStores(browser, "one", "two");

        browser.eval(
            "document.body.append(Object.assign(document.createElement('script'),"
                + " {textContent: 'window.strange = 1'}))");
        assertThat(browser.eval("window.strange === undefined").asBoolean())
            .as("another script does not run")
            .isTrue();
        assertThat(stock.isValid() && prices.isValid()).isTrue();
        server.stop(0);
        browser.await(STATUS + ".includes('The application does not answer')", LIMIT);
      }
    } finally {
      server.stop(0);
    }
  }

  private static InetSocketAddress loopback() throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
  }

  private static String page() {
    return LocalPage.withPolicy(ConsoleView.html(), "data-poll=\"200\"");
  }

  private static void serve(HttpServer server, String path, String type, Callable<String> body) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            byte[] bytes = body.call().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type + ";charset=UTF-8");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          } catch (Exception e) {
            throw new IOException(e);
          }
        });
  }

  /** A lock "stock" is in the first, one "prices" in the second; leaves the second chosen. */
  private static void assertTwoStores(Browser browser, String first, String second)
      throws Exception {
    browser.await(ROWS + ".includes('prices') && " + ROWS + ".includes('stock')", LIMIT);
    browser.await(STATUS + " == 'live'", LIMIT);
    assertThat(browser.eval(ROWS).asText()).contains(first, second);
    assertThat(browser.eval("document.getElementById('tiles').innerText.includes('2')").asBoolean())
        .isTrue();
    choose(browser, "0");
    assertThat(browser.eval(ROWS).asText()).contains("stock").doesNotContain("prices");
    choose(browser, "1");
    assertThat(browser.eval(ROWS).asText()).contains("prices").doesNotContain("stock");
  }

  private static void choose(Browser browser, String store) throws Exception {
    browser.eval(
        "document.getElementById('store').value = '"
            + store
            + "'; document.getElementById('store').dispatchEvent(new Event('change'))");
  }

  private static void assertView(Browser browser, String view, String shown) throws Exception {
    browser.eval("document.querySelector('[data-view=" + view + "]').click()");
    browser.await("document.getElementById('rows').innerText.includes(\"" + shown + "\")", LIMIT);
  }

  /** It has the address, and still neither reads nor changes anything. */
  @Test
  void aPageOfSomebodyElsesGetsNothing() throws Exception {
    assumeBrowser();
    Path page =
        Files.writeString(folder.resolve("evil.html"), "<!DOCTYPE html><title>evil</title>");
    try (RedisServer server = RedisServer.start();
        Lockkeeper keeper = client(server, "till 1");
        Lease lease = keeper.lock("a").acquire();
        Console console =
            Console.open(keeper, "it", ConsoleOptions.defaults().withRelease(audit::add));
        Browser browser = browser(page.toUri().toString())) {
      String wish =
          "{\"store\":0,\"kind\":\"LOCK\",\"name\":\"a\",\"again\":\"a\",\"grant\":\"%d\",\"clientId\":\"%s\"}"
              .formatted(
                  keeper.admin().inspect().get(0).holders().get(0).grant(),
                  keeper.admin().inspect().get(0).holders().get(0).client().id());
      browser.await("document.title == 'evil'", LIMIT);
      browser.eval(
          """
          window.got = [];
          fetch('%1$s').then(a => a.text()).then(t => got.push('read ' + t), e => got.push('no'));
          fetch('%1$srelease', {method: 'POST', mode: 'no-cors', body: '%2$s'})
              .then(() => got.push('sent'), e => got.push('no'));
          const frame = document.createElement('iframe');
          frame.src = '%1$s';
          document.body.append(frame);
          true
          """
              .formatted(console.url(), wish));
      browser.await("got.length == 2", LIMIT);

      assertThat(browser.eval("got.join()").asText()).doesNotContain("read");
      assertThat(lease.isValid()).isTrue();
      assertThat(audit).isEmpty();
    }
  }

  /** Keeps a picture for the documents, if a folder is given for it. */
  private static void keep(String name, byte[] picture) throws java.io.IOException {
    assertThat(picture.length).isBetween(1_000, 150_000);
    String folder = System.getProperty("lockkeeper.lab.pictures", "");
    if (!folder.isEmpty()) {
      Files.write(Path.of(folder, name + ".png"), picture);
    }
  }
}

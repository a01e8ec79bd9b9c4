package io.lockkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.console.Console;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a browser, on a real Redis. */
class ConsolePageTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MANY = 1_000;
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
          .contains("Why they wait", "lock 'stock:7' is held by till 1");
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
                own,
                "the test's Redis",
                ConsoleOptions.defaults()
                    .withDoctor(
                        () -> List.of(Finding.warn("eviction", "it is on", "switch it off"))));
        Browser browser = browser(console.url());
        Lease two = other.readWriteLock("prices").readLock().acquire();
        PermitLease permits = third.semaphore("printers", 5).acquire(2)) {
      till.counter("orders").addAndGet(42);
      Lease stock = fourth.lock("stock").acquire();
      ExecutorService worker = Executors.newSingleThreadExecutor(); // holds one, waits for another
      Lease one = worker.submit(() -> till.readWriteLock("prices").readLock().acquire()).get();
      Future<Lease> waits = worker.submit(() -> till.lock("stock").acquire());
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
          "{\"kind\":\"LOCK\",\"name\":\"a\",\"again\":\"a\",\"grant\":\"%d\",\"clientId\":\"%s\"}"
              .formatted(
                  keeper.inspect().get(0).holders().get(0).grant(),
                  keeper.inspect().get(0).holders().get(0).client().id());
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

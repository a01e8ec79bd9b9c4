package io.lockkeeper.lab.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.lab.Browser;
import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.scene.Marks.Mark;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, in a browser; and who gets it at all. */
@Tag("full")
class ScenePageTest {

  private static final LoadPlan PLAN = new LoadPlan(4, 10, 40, 1);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final String NO_OVERFLOW =
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

  @TempDir private Path folder;
  private final Stores stores = new Stores(Map.of(), line -> {});

  @BeforeEach
  void folderForTheBrowser() throws Exception {
    Files.createDirectories(folder.resolve("profile"));
  }

  private Browser browser(String url) throws Exception {
    return Browser.open(folder.resolve("profile"), url);
  }

  private static void assumeBrowser() {
    assumeTrue(
        Browser.program().isPresent(),
        "no Chromium: install the package chromium to have the page tested in a browser");
  }

  @Test
  void onlyWhoHasTheTokenGetsAnything() throws Exception {
    try (stores;
        ScenePage page = ScenePage.open(stores, PLAN)) {
      URI url = URI.create(page.url());
      HttpClient http = HttpClient.newHttpClient();

      assertThat(get(http, url).statusCode()).isEqualTo(200);
      assertThat(get(http, url).headers().firstValue("Content-Security-Policy"))
          .get()
          .asString()
          .contains("default-src 'none'");
      assertThat(get(http, url.resolve("/")).statusCode()).isEqualTo(404);
      assertThat(get(http, URI.create(page.url().replace("127.0.0.1", "localhost"))).statusCode())
          .as("another host")
          .isEqualTo(404);
      for (String wish :
          List.of(
              "", "{}", "{\"scenes\":[\"no\"],\"users\":1,\"orders\":1}", "[", "{\"users\":0}")) {
        HttpRequest request =
            HttpRequest.newBuilder(url.resolve("run"))
                .header("Origin", "http://127.0.0.1:" + url.getPort())
                .POST(BodyPublishers.ofString(wish))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
            .as(wish)
            .isEqualTo(400);
      }
    }
  }

  private static HttpResponse<String> get(HttpClient http, URI url) throws Exception {
    return http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
  }

  @Test
  void thePageIsReadableWideAndNarrowLightAndDarkAndWorksByKeyboard() throws Exception {
    assumeBrowser();
    try (stores;
        ScenePage page = ScenePage.open(stores, PLAN);
        Browser browser = browser(page.url())) {
      browser.await("document.querySelectorAll('input[name=scene]').length > 30", SHORT);
      for (int width : List.of(1_000, 360)) {
        browser.resize(width, 800);
        browser.await(NO_OVERFLOW, SHORT);
      }
      browser.prefer("light");
      String light = browser.eval("getComputedStyle(document.body).backgroundColor").asText();
      browser.prefer("dark");
      String dark = browser.eval("getComputedStyle(document.body).backgroundColor").asText();
      assertThat(dark).isNotEqualTo(light);

      browser.press("Tab", " ");
      assertThat(browser.eval("document.activeElement.value").asText()).isEqualTo("none");
      assertThat(browser.eval("document.activeElement.checked").asBoolean()).isTrue();
      browser.press(" ");
      browser.eval("document.getElementById('run').focus()");
      browser.press("Enter");
      browser.await("document.getElementById('status').textContent.includes('at least')", SHORT);
    }
  }

  @Test
  void theReportDrawsOverlapsInRedWithoutAServer() throws Exception {
    assumeBrowser();
    Path file = folder.resolve("report.html");
    Files.writeString(file, new SceneReport(List.of(madeUp()), PLAN, List.of()).html());
    try (Browser browser = browser(file.toUri().toString())) {
      browser.await("document.querySelectorAll('#details figure').length == 2", SHORT);
      assertThat(browser.eval("document.querySelectorAll('#details figure')[0].innerText").asText())
          .contains("1 overlap");
      assertThat(browser.eval("document.querySelectorAll('#details figure')[1].innerText").asText())
          .contains("never two");
      assertThat(browser.eval("document.querySelectorAll('#details .both').length").intValue())
          .as("both orders are red")
          .isEqualTo(2);
      assertThat(browser.eval("document.getElementById('form').offsetParent === null").asBoolean())
          .isTrue();
      browser.resize(360, 800);
      browser.await(NO_OVERFLOW, SHORT);
    }
  }

  private static SceneResult madeUp() {
    Scene scene = Scenes.find("none").orElseThrow();
    Books books = new Books(0, 40, 0);
    LoadResult load = new LoadResult(1_000_000_000, 40, Map.of(), new Histogram(2), books, 0);
    return new SceneResult(
        scene, PLAN, load, LoadResult.none(), half(true, 5_000_000), half(false, 10_000_000));
  }

  private static HalfResult half(boolean broken, long second) {
    List<Mark> marks =
        List.of(
            new Mark(1, "A", "read", 0),
            new Mark(2, "B", "read", second),
            new Mark(1, "A", "leaving", 10_000_000),
            new Mark(2, "B", "leaving", second + 10_000_000));
    Books books = new Books(0, broken ? 4 : 3, 0);
    return new HalfResult("it", broken, "", broken ? 1 : 0, books, marks);
  }

  @Test
  @Tag("slow")
  void scenesAreRunOnThePageAndSeenThere() throws Exception {
    assumeBrowser();
    try (stores;
        ScenePage page = ScenePage.open(stores, PLAN);
        Browser browser = browser(page.url())) {
      browser.resize(1_000, 850);
      browser.await("document.querySelectorAll('input[name=scene]').length > 30", SHORT);
      browser.eval(
          "for (const it of document.querySelectorAll('input[name=scene]'))"
              + " it.checked = ['redis-3', 'watch', 'lockRedis'].includes(it.value);"
              + " document.getElementById('users').value = 8;"
              + " document.getElementById('orders').value = 100;"
              + " document.getElementById('run').focus()");
      browser.press("Enter");
      browser.await("document.querySelectorAll('#chart polyline').length == 2", LONG);
      keep("lab-load.png", browser.screenshot());
      browser.await("document.getElementById('status').textContent == 'Done.'", LONG);
      browser.resize(1_400, 900); // all columns

      assertThat(browser.eval("document.getElementById('results').rows.length").intValue())
          .isEqualTo(4);
      assertThat(browser.eval("document.getElementById('oversold').textContent").asText())
          .isEqualTo("0");
      assertThat(browser.eval("document.querySelectorAll('#details .both').length").intValue())
          .as("the broken halves are red")
          .isPositive();
      assertThat(browser.eval("document.getElementById('results').innerText").asText())
          .doesNotContain("NOT AS EXPECTED");
      keep("lab.png", browser.screenshot());
    }
  }

  /** Keeps a picture for the documents, if a folder is given for it. */
  private static void keep(String name, byte[] picture) throws IOException {
    assertThat(picture.length).as(name).isBetween(1_000, 200_000);
    String folder = System.getProperty("lockkeeper.lab.pictures", "");
    if (!folder.isEmpty()) {
      Files.write(Path.of(folder, name), picture);
    }
  }
}

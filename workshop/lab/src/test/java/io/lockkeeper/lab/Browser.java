package io.lockkeeper.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Chromium without a window, by its own protocol: what a driver and a library for it would add is
 * not needed for one page.
 */
public final class Browser implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> answers;
  private final AtomicInteger last = new AtomicInteger();

  private Browser(
      Process process, WebSocket socket, Map<Integer, CompletableFuture<JsonNode>> answers) {
    this.process = process;
    this.socket = socket;
    this.answers = answers;
  }

  /** Returns the program, if the machine has it. */
  public static Optional<String> program() {
    return PLACES.stream().filter(place -> Files.isExecutable(Path.of(place))).findFirst();
  }

  /**
   * Opens a page.
   *
   * @param profile an empty folder
   */
  public static Browser open(Path profile, String url) throws Exception {
    Process process =
        new ProcessBuilder(
                program().orElseThrow(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + profile,
                url)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("browser.log").toFile())
            .start();
    try {
      Path port = profile.resolve("DevToolsActivePort");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> Files.exists(port) && Files.readAllLines(port).size() == 2);
      HttpClient http = HttpClient.newHttpClient();
      URI targets = URI.create("http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json");
      String page =
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> page(http, targets), found -> !found.isEmpty());
      Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
      WebSocket socket =
          http.newWebSocketBuilder().buildAsync(URI.create(page), listener(answers)).join();
      return new Browser(process, socket, answers);
    } catch (RuntimeException | IOException e) {
      end(process);
      throw e;
    }
  }

  private static String page(HttpClient http, URI targets) throws Exception {
    var answer =
        http.send(
            java.net.http.HttpRequest.newBuilder(targets).build(),
            java.net.http.HttpResponse.BodyHandlers.ofString());
    for (JsonNode target : JSON.readTree(answer.body())) {
      if (target.path("type").asText().equals("page")) {
        return target.path("webSocketDebuggerUrl").asText();
      }
    }
    return "";
  }

  private static WebSocket.Listener listener(Map<Integer, CompletableFuture<JsonNode>> answers) {
    StringBuilder text = new StringBuilder();
    return new WebSocket.Listener() {
      @Override
      public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
        text.append(part);
        if (isLast) {
          try {
            JsonNode message = JSON.readTree(text.toString());
            CompletableFuture<JsonNode> answer = answers.remove(message.path("id").asInt(-1));
            if (answer != null) {
              answer.complete(message);
            }
          } catch (IOException e) {
            answers.values().forEach(answer -> answer.completeExceptionally(e));
          }
          text.setLength(0);
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
      }
    };
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    int id = last.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).join();
    JsonNode said = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (said.has("error")) {
      throw new IllegalStateException(method + ": " + said.path("error"));
    }
    return said.path("result");
  }

  /** Has the page evaluate an expression, and returns its value. */
  public JsonNode eval(String expression) throws Exception {
    JsonNode answer =
        call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /** Waits until an expression is true. */
  public void await(String expression, Duration limit) {
    Awaitility.await(expression)
        .atMost(limit)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions() // what it names may not be on the page yet
        .until(() -> eval(expression).asBoolean());
  }

  /** Makes the window this wide and high. */
  public void resize(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Has the user prefer dark or light. */
  public void prefer(String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Presses keys, one after the other: Tab, Enter, or a character. */
  public void press(String... keys) throws Exception {
    for (String key : keys) {
      int code = key.equals("Tab") ? 9 : key.equals("Enter") ? 13 : key.charAt(0);
      String text = key.equals("Enter") ? "\r" : key.length() == 1 ? key : "";
      call(
          "Input.dispatchKeyEvent",
          Map.of("type", "keyDown", "key", key, "text", text, "windowsVirtualKeyCode", code));
      call(
          "Input.dispatchKeyEvent",
          Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
    }
  }

  /** Takes a picture of the page. */
  public byte[] screenshot() throws Exception {
    JsonNode answer = call("Page.captureScreenshot", Map.of("format", "png"));
    return Base64.getDecoder().decode(answer.path("data").asText());
  }

  private static void end(Process process) {
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
  }

  @Override
  public void close() {
    // Asked to, it ends and cleans up after itself.
    socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true).join();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    socket.abort();
    end(process);
  }
}

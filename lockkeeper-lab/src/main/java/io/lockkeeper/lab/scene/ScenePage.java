package io.lockkeeper.lab.scene;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lockkeeper.cli.console.Secrets;
import io.lockkeeper.lab.oversell.shop.Books;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The page on which scenes are run and watched. It listens on the loopback address alone, and only
 * who has its address, which holds a random token, gets anything from it.
 */
final class ScenePage implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TOKEN_BYTES = 16;
  private static final int BACKLOG = 1_000;
  private static final int MOST_USERS = 1_000;
  private static final int MOST_ORDERS = 10_000;
  private static final int MOST_INPUT = 20_000;
  private static final long BEAT_SECONDS = 10;
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final String END = "";

  private final Stores stores;
  private final LoadPlan plan;
  private final HttpServer server;
  private final String token;
  private final ExecutorService threads = Executors.newCachedThreadPool(ScenePage::thread);
  private final List<BlockingQueue<String>> watchers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean busy = new AtomicBoolean();

  private ScenePage(Stores stores, LoadPlan plan, HttpServer server) {
    this.stores = stores;
    this.plan = plan;
    this.server = server;
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    this.token = HexFormat.of().formatHex(random);
  }

  /**
   * Opens it.
   *
   * @param plan what is suggested
   */
  static ScenePage open(Stores stores, LoadPlan plan) {
    try {
      InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
      ScenePage page =
          new ScenePage(stores, plan, HttpServer.create(new InetSocketAddress(loopback, 0), 0));
      page.server.setExecutor(page.threads);
      page.server.createContext("/", page::answer);
      page.server.start();
      return page;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "lockkeeper-scene-page");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns its address. */
  String url() {
    return "http://" + host() + "/" + token + "/";
  }

  private String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      // A page of somebody else's whose name leads here by DNS has another Host.
      String host = exchange.getRequestHeaders().getFirst("Host");
      String path = exchange.getRequestURI().getPath();
      String what = exchange.getRequestMethod() + " " + path.replace("/" + token + "/", "");
      if (!host().equals(host) || !path.startsWith("/" + token + "/")) {
        send(exchange, NOT_FOUND, "text/plain", "not found");
      } else if (what.equals("GET ")) {
        send(exchange, OK, "text/html", SceneReport.livePage(plan));
      } else if (what.equals("GET events")) {
        stream(exchange);
      } else if (what.equals("POST run")) {
        run(exchange);
      } else {
        send(exchange, NOT_FOUND, "text/plain", "not found");
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
                + " connect-src 'self'; img-src data:; frame-ancestors 'none'");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void stream(HttpExchange exchange) throws IOException {
    BlockingQueue<String> events = new ArrayBlockingQueue<>(BACKLOG);
    watchers.add(events);
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(OK, 0);
      String event = ":\n\n";
      while (!event.equals(END)) {
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        String next = events.poll(BEAT_SECONDS, TimeUnit.SECONDS);
        event = next == null ? ":\n\n" : next;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
    } finally {
      watchers.remove(events);
    }
  }

  private void run(HttpExchange exchange) throws IOException {
    List<Scene> scenes = new ArrayList<>();
    LoadPlan wanted;
    try {
      JsonNode wish = JSON.readTree(exchange.getRequestBody().readNBytes(MOST_INPUT));
      for (JsonNode name : wish.path("scenes")) {
        scenes.add(
            Scenes.find(name.asText())
                .orElseThrow(() -> new IllegalArgumentException("no such scene")));
      }
      int users = within(wish.path("users").asInt(-1), 1, MOST_USERS);
      int orders = within(wish.path("orders").asInt(-1), 0, MOST_ORDERS);
      within(scenes.size(), 1, Scenes.list().size());
      wanted = new LoadPlan(users, orders, Math.max(1L, (long) users * orders), plan.seed());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      send(exchange, BAD_REQUEST, "text/plain", "wanted: scenes, users and orders");
      return;
    }
    if (!busy.compareAndSet(false, true)) {
      send(exchange, CONFLICT, "text/plain", "scenes are being shown");
      return;
    }
    threads.execute(() -> show(scenes, wanted));
    send(exchange, ACCEPTED, "text/plain", "");
  }

  private static int within(int number, int min, int max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException("not within " + min + " to " + max);
    }
    return number;
  }

  private void show(List<Scene> scenes, LoadPlan wanted) {
    try {
      tell("start", SceneReport.facts(wanted));
      Stores.show(stores, scenes, wanted, new Teller());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
    } catch (RuntimeException e) {
      tell("failed", Secrets.hide(String.valueOf(e.getMessage())));
    } finally {
      busy.set(false);
      tell("end", "");
    }
  }

  private void tell(String event, Object data) {
    String text = "event: " + event + "\ndata: " + SceneReport.write(data) + "\n\n";
    for (BlockingQueue<String> watcher : watchers) {
      if (!watcher.offer(text)) {
        watcher.clear(); // it does not keep up; it comes again by itself
        watcher.add(END);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }

  /** Tells those who watch. */
  private final class Teller implements SceneListener {
    @Override
    public void said(String line) {
      tell("said", line);
    }

    @Override
    public void began(Scene scene) {
      tell("began", scene.name());
    }

    @Override
    public void happened(Scene scene, HalfResult half) {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("scene", scene.name());
      data.put("half", SceneReport.lanes(half));
      tell("half", data);
    }

    @Override
    public void progressed(Scene scene, LoadProgress progress) {
      Books books = progress.books().get();
      List<List<Held>> samples = progress.samples().get();
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("scene", scene.name());
      data.put("stock", progress.plan().stock());
      data.put("done", progress.done());
      data.put("total", progress.plan().total());
      data.put("seconds", progress.elapsedNanos() / 1e9);
      data.put("perSecond", progress.ordersPerSecond());
      data.put("p99Millis", progress.p99Nanos() / 1e6);
      data.put("stockLeft", books.stockLeft());
      // An order on its way is recorded and not yet off the stock, which is no overselling yet.
      data.put(
          "oversold",
          Math.max(0, books.oversold(progress.plan().stock()) - progress.plan().users()));
      data.put(
          "sample",
          samples.isEmpty() ? List.of() : SceneReport.sample(samples.get(samples.size() - 1)));
      tell("load", data);
    }

    @Override
    public void ended(SceneResult result) {
      tell("result", SceneReport.forPage(result));
    }
  }
}

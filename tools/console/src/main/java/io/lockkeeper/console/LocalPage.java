package io.lockkeeper.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page for people at this machine, with events that the server sends.
 *
 * <p>It listens on the loopback address alone. Its address holds a random token, and who does not
 * know that gets nothing. A page of somebody else's gets nothing either: requests count only with
 * this page's own {@code Host}, by which a name that was made to lead here is refused, and what
 * changes anything only with its own {@code Origin}. No script runs in it but its own.
 */
public final class LocalPage implements AutoCloseable {

  /** The text in the tag of the page's script that is replaced by what permits it. */
  public static final String SCRIPT_MARK = "data-own-script";

  private static final String CHARSET = "<meta charset=\"utf-8\">";
  private static final int RANDOM_BYTES = 16;
  private static final int BACKLOG = 1_000;
  private static final int MOST_INPUT = 20_000;
  private static final long BEAT_SECONDS = 10;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final String END = "";
  private static final String BEAT = ":\n\n";

  /**
   * The answer to a request.
   *
   * @param status of HTTP
   * @param type of the body, without its character set
   */
  public record Answer(int status, String type, String body) {

    /** Returns the page. */
    public static Answer page(String html) {
      return new Answer(OK, "text/html", html);
    }

    /** Returns a sentence for people. */
    public static Answer text(int status, String body) {
      return new Answer(status, "text/plain", body);
    }
  }

  /** Answers requests. */
  @FunctionalInterface
  public interface Site {

    /**
     * Answers a request.
     *
     * @param request the method and the path behind the token, such as {@code GET } for the page
     *     and {@code POST run}
     * @param body at most 20,000 bytes of it
     * @return null if there is no such thing
     */
    @Nullable Answer answer(String request, byte[] body) throws IOException;
  }

  private final HttpServer server;
  private final Site site;
  private final Supplier<String> first;
  private final String token = random();
  private final ExecutorService threads;

  /** One for each browser that listens; each takes its events from there. */
  private final List<BlockingQueue<String>> watchers = new CopyOnWriteArrayList<>();

  private LocalPage(HttpServer server, String name, Site site, Supplier<String> first) {
    this.server = server;
    this.site = site;
    this.first = first;
    this.threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Opens a page.
   *
   * @param port where it listens; 0 for one that is free
   * @param name of its threads
   * @param first returns the events for who begins to listen, as {@link #event} makes them
   * @throws UncheckedIOException if it cannot listen there
   */
  public static LocalPage open(int port, String name, Site site, Supplier<String> first) {
    try {
      InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
      HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
      LocalPage page = new LocalPage(server, name, site, first);
      server.setExecutor(page.threads);
      server.createContext("/", page::answer);
      server.start();
      return page;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot listen on 127.0.0.1:" + port + ": " + e.getMessage(), e);
    }
  }

  private static String random() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Returns its address, with the token. */
  public String url() {
    return origin() + "/" + token + "/";
  }

  private String origin() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns whether a browser listens. */
  public boolean isWatched() {
    return !watchers.isEmpty();
  }

  /** Does something on a thread of the page's. */
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /**
   * Returns an event as a browser reads it.
   *
   * @param data in one line, such as JSON
   */
  public static String event(String name, String data) {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }

  /** Sends an {@link #event} to all who listen. */
  public void send(String event) {
    for (BlockingQueue<String> watcher : watchers) {
      if (!watcher.offer(event)) {
        watcher.clear(); // it does not keep up; it comes again by itself
        watcher.add(END);
      }
    }
  }

  /**
   * Returns a page that brings its policy along, for a server that leaves its headers to others.
   *
   * @param html whose script has the attribute {@link #SCRIPT_MARK}
   * @param attributes that the script gets besides
   */
  public static String withPolicy(String html, String attributes) {
    String permit = random();
    return html.replaceFirst(
            CHARSET,
            CHARSET
                + "<meta http-equiv=\"Content-Security-Policy\" content=\""
                + policy(permit)
                + "\"><meta name=\"referrer\" content=\"no-referrer\">")
        .replaceFirst(SCRIPT_MARK, "nonce=\"" + permit + "\" " + attributes);
  }

  private static String policy(String permit) {
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-"
        + permit
        + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String prefix = "/" + token + "/";
      boolean isKnown =
          path.length() >= prefix.length()
              && MessageDigest.isEqual(bytes(path.substring(0, prefix.length())), bytes(prefix));
      if (!isKnown || !isOwn(exchange)) {
        send(exchange, Answer.text(NOT_FOUND, "not found"));
        return;
      }
      String request = exchange.getRequestMethod() + " " + path.substring(prefix.length());
      if (request.equals("GET events")) {
        stream(exchange);
        return;
      }
      Answer answer = site.answer(request, exchange.getRequestBody().readNBytes(MOST_INPUT));
      send(exchange, answer == null ? Answer.text(NOT_FOUND, "not found") : answer);
    }
  }

  private boolean isOwn(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    String from = headers.getFirst("Origin");
    boolean isChange = !exchange.getRequestMethod().equals("GET");
    return ("http://" + headers.getFirst("Host")).equals(origin())
        && (from == null ? !isChange : from.equals(origin()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    String permit = random();
    byte[] body = bytes(answer.body().replaceFirst(SCRIPT_MARK, "nonce=\"" + permit + "\""));
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.type() + "; charset=utf-8");
    headers.set("Cache-Control", "no-store");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", policy(permit) + "; frame-ancestors 'none'");
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private void stream(HttpExchange exchange) throws IOException {
    BlockingQueue<String> events = new ArrayBlockingQueue<>(BACKLOG);
    watchers.add(events);
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(OK, 0);
      String event = BEAT + first.get();
      while (!event.equals(END)) {
        exchange.getResponseBody().write(bytes(event));
        exchange.getResponseBody().flush();
        String next = events.poll(BEAT_SECONDS, TimeUnit.SECONDS);
        event = next == null ? BEAT : next;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
    } finally {
      watchers.remove(events);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}

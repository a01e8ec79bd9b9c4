package io.lockkeeper.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.console.LocalPage.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A page that shows who holds and who waits, over all clients of a store and a namespace, for
 * people at this machine: see {@link LocalPage} for who gets to see it.
 *
 * <p>The store is asked only while somebody looks, and for at most a twentieth of the time: after a
 * look that took long the next one comes later. While the store is away the page says so, and goes
 * on when it is back.
 */
public final class Console implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAUSES_PER_LOOK = 20;

  /** How many resources are read for each look, so that its cost is bounded. */
  private static final int MOST_READ = 10_000;

  private static final long IDLE_NANOS = 100_000_000;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;
  private static final int OK = 200;

  private final Lockkeeper keeper;
  private final ConsoleOptions options;
  private final String title;
  private final LocalPage page;
  private volatile String latest = "";
  private volatile boolean isClosed;

  /** Of the thread that looks. */
  private boolean isAway;

  private Console(Lockkeeper keeper, String title, ConsoleOptions options) {
    this.keeper = keeper;
    this.title = title;
    this.options = options;
    this.page = LocalPage.open(options.port(), "lockkeeper-console", this::answer, () -> latest);
  }

  /**
   * Opens a console. It does not close the client.
   *
   * @param title names the store, without any secret
   * @throws UncheckedIOException if it cannot listen on the port
   */
  public static Console open(Lockkeeper keeper, String title, ConsoleOptions options) {
    Console console = new Console(keeper, title, options);
    console.page.execute(console::look);
    return console;
  }

  /** Returns the address for the browser. Who has it sees all that the page shows. */
  public String url() {
    return page.url();
  }

  // ---------------------------------------------------------------- looking

  private void look() {
    while (!isClosed) {
      long pause = IDLE_NANOS;
      if (page.isWatched()) {
        long begin = System.nanoTime();
        latest = event();
        page.send(latest);
        long taken = isAway ? 0 : System.nanoTime() - begin; // by a store that did not work for it
        pause = Math.max(options.refresh().toNanos(), PAUSES_PER_LOOK * taken);
      }
      long end = System.nanoTime() + pause;
      while (!isClosed && end - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(Math.min(IDLE_NANOS, end - System.nanoTime()));
      }
      if (Thread.currentThread().isInterrupted()) {
        return; // the page closes
      }
    }
  }

  private String event() {
    isAway = true;
    try {
      Map<String, ?> data = new Snapshot(keeper.inspect("", MOST_READ)).data(options.mostListed());
      isAway = false;
      return LocalPage.event("state", write(data));
    } catch (LockkeeperClosedException e) {
      isClosed = true;
      return LocalPage.event("away", write("this console's client was closed"));
    } catch (LockkeeperException e) {
      return LocalPage.event("away", write(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      return LocalPage.event("away", write(e.toString()));
    }
  }

  private static String write(Object data) {
    try {
      return JSON.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---------------------------------------------------------------- requests

  private @Nullable Answer answer(String request, byte[] body) throws IOException {
    return switch (request) {
      case "GET " -> Answer.page(html());
      case "GET about" -> about();
      case "POST release" -> release(body);
      default -> null;
    };
  }

  private static String html() throws IOException {
    try (InputStream in = Console.class.getResourceAsStream("console.html")) {
      if (in == null) {
        throw new IOException("console.html is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Answer about() {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("title", title);
    about.put("mayRelease", options.audit().isPresent());
    return new Answer(OK, "application/json", write(about));
  }

  /** Ends a hold, if its name is given once more; what has changed since is left alone. */
  private Answer release(byte[] body) {
    Consumer<String> audit = options.audit().orElse(null);
    if (audit == null) {
      return Answer.text(FORBIDDEN, "this console changes nothing; start it with --allow-release");
    }
    Wish wish;
    try {
      wish = Wish.of(JSON.readTree(body));
    } catch (IOException | IllegalArgumentException e) {
      return Answer.text(BAD_REQUEST, "wanted: kind, name, clientId, grant, and the name again");
    }
    if (!wish.again().equals(wish.name())) {
      return Answer.text(BAD_REQUEST, "the name does not match: nothing was released");
    }
    String what = wish.kind() + " '" + wish.name().replaceAll("\\p{Cntrl}", "?") + "'";
    try {
      Optional<HolderReport> holder =
          keeper.inspect(wish.kind(), wish.name()).holders().stream()
              .filter(each -> each.grant() == wish.grant())
              .filter(each -> each.client().id().equals(wish.clientId()))
              .findFirst();
      boolean isReleased = holder.isPresent() && keeper.forceRelease(holder.get());
      audit.accept(
          "%s %s forces the release of %s, held by %s with token %s: %s"
              .formatted(
                  Instant.now(),
                  System.getProperty("user.name"),
                  what,
                  holder.map(each -> each.client().toString()).orElse("nobody like that"),
                  holder.map(each -> String.valueOf(each.token())).orElse("?"),
                  isReleased ? "released" : "nothing changed"));
      return isReleased
          ? Answer.text(OK, "released")
          : Answer.text(CONFLICT, "it is held by somebody else by now: nothing was released");
    } catch (LockkeeperException e) {
      return Answer.text(UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  /** What is to be released, and its name once more. */
  private record Wish(ResourceKind kind, String name, String clientId, long grant, String again) {

    static Wish of(JsonNode json) {
      List<String> texts =
          List.of("kind", "name", "clientId", "grant", "again").stream()
              .map(field -> json.path(field).asText())
              .toList();
      return new Wish(
          ResourceKind.valueOf(texts.get(0)),
          texts.get(1),
          texts.get(2),
          Long.parseLong(texts.get(3)),
          texts.get(4));
    }
  }

  @Override
  public void close() {
    isClosed = true;
    page.close();
  }
}

package io.lockkeeper.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.console.LocalPage.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page that shows who holds and who waits, over all clients of a store and a namespace, or of
 * several, for people at this machine: see {@link LocalPage} for who gets to see it.
 *
 * <p>A store is asked only while somebody looks, and then as {@link ConsoleView} says; each by a
 * thread of its own. While a store is away the page says so, and goes on when it is back.
 */
public final class Console implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DOCTOR = "POST doctor/";
  private static final int OK = 200;
  private static final long IDLE_NANOS = 100_000_000;

  private final ConsoleView view;
  private final LocalPage page;

  /** The last event of each store. */
  private final AtomicReferenceArray<String> latest;

  private volatile boolean isClosed;

  private Console(ConsoleView view, int port) {
    this.view = view;
    this.latest =
        new AtomicReferenceArray<>(Collections.nCopies(view.size(), "").toArray(String[]::new));
    this.page = LocalPage.open(port, "lockkeeper-console", this::answer, this::latest);
  }

  private String latest() {
    return IntStream.range(0, view.size()).mapToObj(latest::get).collect(Collectors.joining());
  }

  /**
   * Opens a console of one store. It does not close the client.
   *
   * @param title names the store, without any secret
   * @throws UncheckedIOException if it cannot listen on the port
   */
  public static Console open(Lockkeeper keeper, String title, ConsoleOptions options) {
    return open(title, List.of(new ConsoleStore(title, keeper)), options);
  }

  /**
   * Opens a console of several stores. It does not close their clients.
   *
   * @param title of the page, without any secret
   * @param stores one at least
   * @throws UncheckedIOException if it cannot listen on the port
   */
  public static Console open(String title, List<ConsoleStore> stores, ConsoleOptions options) {
    Console console = new Console(new ConsoleView(title, stores, options), options.port());
    for (int number = 0; number < stores.size(); number++) {
      int store = number;
      console.page.execute(() -> console.look(store));
    }
    return console;
  }

  /** Returns the address for the browser. Who has it sees all that the page shows. */
  public String url() {
    return page.url();
  }

  private void look(int store) {
    while (!isClosed && !Thread.currentThread().isInterrupted()) {
      if (page.isWatched() && view.nextLookIn(store) <= 0) {
        String event = LocalPage.event("state", write(view.state(store)));
        latest.set(store, event);
        page.send(event);
      }
      long pause = page.isWatched() ? Math.max(1, view.nextLookIn(store)) : IDLE_NANOS;
      LockSupport.parkNanos(Math.min(IDLE_NANOS, pause));
    }
  }

  private static String write(Object data) {
    try {
      return JSON.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Answer answer(String request, byte[] body) {
    if (request.startsWith(DOCTOR)) {
      return view.examine(request.substring(DOCTOR.length()), Console::write);
    }
    return switch (request) {
      case "GET " -> Answer.page(ConsoleView.html());
      case "GET about" -> new Answer(OK, "application/json", write(view.about()));
      case "POST release" -> release(body);
      default -> null;
    };
  }

  private Answer release(byte[] body) {
    JsonNode wish;
    try {
      wish = JSON.readTree(body);
    } catch (IOException e) {
      wish = JSON.createObjectNode(); // in which everything is missing
    }
    List<String> texts =
        Stream.of("kind", "name", "clientId", "grant", "again").map(text(wish)).toList();
    String user = System.getProperty("user.name");
    return view.release(
        user,
        wish.path("store").asInt(-1),
        texts.get(0),
        texts.get(1),
        texts.get(2),
        texts.get(3),
        texts.get(4));
  }

  private static Function<String, String> text(JsonNode json) {
    return field -> json.path(field).asText();
  }

  @Override
  public void close() {
    isClosed = true;
    page.close();
  }
}

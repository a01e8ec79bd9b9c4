package io.lockkeeper.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.console.LocalPage.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page that shows who holds and who waits, over all clients of a store and a namespace, or of
 * several, for people at this machine: see {@link LocalPage} for who gets to see it.
 *
 * <p>A store is asked only while somebody looks, and then as {@link ConsoleView} says; as {@link
 * ConsoleEvents}. While a store is away the page says so, and goes on when it is back.
 */
public final class Console implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DOCTOR = "POST doctor/";
  private static final String NAMESPACES = "POST namespaces/";
  private static final int OK = 200;

  private final ConsoleView view;
  private final ConsoleEvents events;
  private final LocalPage page;

  private Console(ConsoleView view, int port) {
    this.view = view;
    this.events = new ConsoleEvents(view, this::isWatched, this::send);
    this.page = LocalPage.open(port, "lockkeeper-console", this::answer, this::latest);
  }

  private boolean isWatched() {
    return page.isWatched();
  }

  private void send(int store, String json) {
    page.send(LocalPage.event(ConsoleEvents.NAME, json));
  }

  private String latest() {
    StringBuilder latest = new StringBuilder();
    events.begin((store, json) -> latest.append(LocalPage.event(ConsoleEvents.NAME, json)));
    return latest.toString();
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
    return new Console(new ConsoleView(title, stores, options), options.port());
  }

  /** Returns the address for the browser. Who has it sees all that the page shows. */
  public String url() {
    return page.url();
  }

  private @Nullable Answer answer(String request, byte[] body) {
    if (request.startsWith(DOCTOR)) {
      return view.examine(request.substring(DOCTOR.length()), ConsoleEvents::write);
    } else if (request.startsWith(NAMESPACES)) {
      return view.namespaces(request.substring(NAMESPACES.length()), ConsoleEvents::write);
    }
    return switch (request) {
      case "GET " -> Answer.page(ConsoleView.html());
      case "GET about" -> new Answer(OK, "application/json", ConsoleEvents.write(view.about()));
      case "POST release" -> release(wish(body));
      case "POST namespace" -> choose(wish(body));
      default -> null;
    };
  }

  private static JsonNode wish(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return JSON.createObjectNode(); // in which everything is missing
    }
  }

  private Answer choose(JsonNode wish) {
    Answer answer = view.choose(store(wish), text(wish).apply("namespace"));
    events.begin((store, json) -> {}); // from now on the namespace is looked at
    return answer;
  }

  private Answer release(JsonNode wish) {
    List<String> texts =
        Stream.of("kind", "name", "clientId", "grant", "again").map(text(wish)).toList();
    String user = System.getProperty("user.name");
    return view.release(
        user, store(wish), texts.get(0), texts.get(1), texts.get(2), texts.get(3), texts.get(4));
  }

  private static int store(JsonNode wish) {
    return wish.path("store").asInt(-1);
  }

  private static Function<String, String> text(JsonNode json) {
    return field -> json.path(field).asText();
  }

  @Override
  public void close() {
    events.close();
    page.close();
  }
}

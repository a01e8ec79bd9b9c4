package io.lockkeeper.spring.boot;

import io.lockkeeper.console.ConsoleView;
import io.lockkeeper.console.LocalPage;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * The actuator's endpoint {@code lockkeeperconsole}: the console's page, which gets its data below
 * itself: as events, or where the application's stack has none, when it asks. Release by force
 * needs {@code management.endpoint.lockkeeperconsole.access=unrestricted}. Who may see it is the
 * application's decision, as with all endpoints.
 *
 * <p>The page brings its own content security policy, because an endpoint has no say in headers: no
 * script runs in it but its own, it asks nobody but this application, and in a frame it shows
 * nothing.
 */
@WebEndpoint(id = LockkeeperConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class LockkeeperConsoleEndpoint {

  static final String ID = "lockkeeperconsole";

  private static final int NOT_FOUND = 404;

  private final ConsoleView view;
  private final @Nullable ConsoleStreams streams;

  /**
   * Creates the endpoint.
   *
   * @param streams null if there are none in this application
   */
  LockkeeperConsoleEndpoint(ConsoleView view, @Nullable ConsoleStreams streams) {
    this.view = view;
    this.streams = streams;
  }

  /** Returns the page. */
  @ReadOperation(produces = "text/html;charset=UTF-8")
  public String page() {
    return LocalPage.withPolicy(
        ConsoleView.html(), "data-poll=\"" + view.about().get("refresh") + "\"");
  }

  /**
   * Returns what does not change, or a stream of what is to be seen of all stores.
   *
   * @param what {@code about} or {@code events}
   * @return null if there is no such thing
   */
  @ReadOperation(produces = {"application/json", "text/event-stream"})
  public @Nullable Object one(@Selector String what) {
    return switch (what) {
      case "about" -> view.about();
      case "events" -> streams == null ? null : streams.open();
      default -> null;
    };
  }

  /**
   * Returns what is to be seen of a store.
   *
   * @param what {@code state}
   * @param store its number
   * @return null if there is no such thing
   */
  @ReadOperation
  public @Nullable Map<String, ?> state(@Selector String what, @Selector int store) {
    return what.equals("state") && view.has(store) ? view.state(store) : null;
  }

  /**
   * Ends a hold that the page has shown.
   *
   * @param what {@code release}
   * @param store the number of its store
   * @param kind of the resource
   * @param again the name once more
   */
  @WriteOperation(produces = "text/plain;charset=UTF-8")
  public WebEndpointResponse<String> act(
      SecurityContext security,
      @Selector String what,
      int store,
      String kind,
      String name,
      String clientId,
      String grant,
      String again) {
    if (!what.equals("release")) {
      return new WebEndpointResponse<>(NOT_FOUND);
    }
    Principal principal = security.getPrincipal();
    String who = principal == null ? "somebody" : principal.getName();
    LocalPage.Answer answer = view.release(who, store, kind, name, clientId, grant, again);
    return new WebEndpointResponse<>(
        answer.body(), answer.status(), new MimeType("text", "plain", StandardCharsets.UTF_8));
  }
}

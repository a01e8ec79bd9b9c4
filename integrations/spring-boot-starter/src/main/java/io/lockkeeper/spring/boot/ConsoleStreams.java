package io.lockkeeper.spring.boot;

import io.lockkeeper.console.ConsoleEvents;
import io.lockkeeper.console.ConsoleView;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.SmartLifecycle;

/**
 * The streams of events to the browsers that show the console's page, in the way of the stack that
 * the application has. All share the looks, and no thread waits for one of them.
 *
 * <p>A stream ends after {@link #LENGTH} and the browser comes again: so a user who may no longer
 * see the page does not, and a browser that has gone is forgotten. They end before the web server
 * waits for its requests to end, or else it would wait for them.
 */
abstract class ConsoleStreams implements SmartLifecycle, AutoCloseable {

  /** How long a stream lasts. */
  static final Duration LENGTH = Duration.ofSeconds(20);

  /** After what time a browser comes again. */
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final int MOST = 100;
  private static final int UNAVAILABLE = 503;

  private final ConsoleEvents events;
  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean isRunning;

  /** The stream to one browser. */
  interface Stream extends ConsoleEvents.Receiver {

    /** Ends it. It may have ended. */
    void end();
  }

  /** Creates streams of what is to be seen of a view. */
  ConsoleStreams(ConsoleView view) {
    this.events = new ConsoleEvents(view, () -> !streams.isEmpty(), this::send);
  }

  private void send(int store, String json) {
    streams.forEach(stream -> stream.receive(store, json));
  }

  /** Returns what an endpoint's operation is to return to have a stream sent. */
  final Object open() {
    return isRunning && streams.size() < MOST ? create() : new WebEndpointResponse<>(UNAVAILABLE);
  }

  /** Returns what has this stack send a stream. */
  abstract Object create();

  /** Begins to send to a browser. */
  final void add(Stream stream) {
    streams.add(stream);
    events.begin(stream);
    if (!isRunning) { // it came while the others ended
      stream.end();
    }
  }

  /** Forgets a stream that has ended. */
  final void remove(Stream stream) {
    streams.remove(stream);
  }

  @Override
  public void start() {
    isRunning = true;
  }

  @Override
  public void stop() {
    isRunning = false;
    streams.forEach(Stream::end);
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  @Override
  public void close() {
    events.close();
  }
}

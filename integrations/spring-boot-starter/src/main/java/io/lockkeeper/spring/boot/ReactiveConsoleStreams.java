package io.lockkeeper.spring.boot;

import io.lockkeeper.console.ConsoleEvents;
import io.lockkeeper.console.ConsoleView;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.util.MimeType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Streams by Spring WebFlux. A browser that does not read misses events, but not the last one of
 * each store.
 */
final class ReactiveConsoleStreams extends ConsoleStreams {

  private static final MimeType EVENTS = new MimeType("text", "event-stream");
  private static final int OK = 200;

  private final int stores;

  ReactiveConsoleStreams(ConsoleView view) {
    super(view);
    this.stores = view.size();
  }

  @Override
  Object create() {
    Browser browser = new Browser(stores);
    Flux<ServerSentEvent<String>> events =
        browser
            .events()
            .doOnSubscribe(subscription -> add(browser))
            .take(LENGTH)
            .doFinally(signal -> remove(browser));
    return new WebEndpointResponse<>(events, OK, EVENTS);
  }

  /** The stream to a browser: a stream for each store, merged. */
  private static final class Browser implements Stream {

    private final List<Sinks.Many<String>> sinks;

    Browser(int stores) {
      this.sinks =
          IntStream.range(0, stores)
              .mapToObj(store -> Sinks.many().unicast().<String>onBackpressureBuffer())
              .toList();
    }

    Flux<ServerSentEvent<String>> events() {
      List<Flux<String>> each =
          sinks.stream().map(sink -> sink.asFlux().onBackpressureLatest()).toList();
      return Flux.merge(Flux.fromIterable(each), each.size(), 1)
          .map(
              json -> ServerSentEvent.builder(json).event(ConsoleEvents.NAME).retry(RETRY).build());
    }

    @Override
    public void receive(int store, String json) {
      sinks.get(store).emitNext(json, Sinks.EmitFailureHandler.busyLooping(RETRY));
    }

    @Override
    public void end() {
      sinks.forEach(Sinks.Many::tryEmitComplete);
    }
  }
}

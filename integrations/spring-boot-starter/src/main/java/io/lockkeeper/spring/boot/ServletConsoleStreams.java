package io.lockkeeper.spring.boot;

import io.lockkeeper.console.ConsoleEvents;
import io.lockkeeper.console.ConsoleView;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Streams by Spring MVC. A thread is held while an event is written, so that a browser that does
 * not read keeps up nobody else; such a one misses events, but not the last one of each store.
 */
final class ServletConsoleStreams extends ConsoleStreams {

  private final int stores;
  private final ExecutorService writers =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "lockkeeper-console-writer");
            thread.setDaemon(true);
            return thread;
          });

  ServletConsoleStreams(ConsoleView view) {
    super(view);
    this.stores = view.size();
  }

  @Override
  Object create() {
    Emitter emitter = new Emitter();
    add(emitter);
    return emitter;
  }

  @Override
  public void close() {
    super.close();
    writers.shutdown();
  }

  private final class Emitter extends SseEmitter implements Stream {

    /** Of each store what is to be written. */
    private final AtomicReferenceArray<@Nullable String> pending =
        new AtomicReferenceArray<>(stores);

    /** How often there was something to write since the writer last looked; 0 if none writes. */
    private final AtomicInteger wanted = new AtomicInteger();

    private volatile boolean isToEnd;

    Emitter() {
      super(LENGTH.toMillis());
      onTimeout(this::complete);
      onError(failure -> remove(this));
      onCompletion(() -> remove(this));
    }

    /** Says too that a proxy is to pass events on at once. */
    @Override
    protected void extendResponse(ServerHttpResponse response) {
      super.extendResponse(response);
      response.getHeaders().setCacheControl("no-store");
      response.getHeaders().set("X-Accel-Buffering", "no");
    }

    @Override
    public void receive(int store, String json) {
      pending.set(store, json);
      write();
    }

    @Override
    public void end() {
      isToEnd = true;
      write();
    }

    private void write() {
      if (wanted.getAndIncrement() == 0) {
        writers.execute(this::writePending);
      }
    }

    private void writePending() {
      int seen;
      do {
        seen = wanted.get();
        try {
          for (int store = 0; store < stores; store++) {
            String json = pending.getAndSet(store, null);
            if (json != null) {
              send(event().name(ConsoleEvents.NAME).reconnectTime(RETRY.toMillis()).data(json));
            }
          }
          if (isToEnd) {
            complete();
          }
        } catch (IOException | IllegalStateException e) {
          remove(this); // the browser has gone; the server ends the request
        }
      } while (wanted.addAndGet(-seen) != 0);
    }
  }
}

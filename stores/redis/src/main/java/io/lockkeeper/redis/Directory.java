package io.lockkeeper.redis;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.ClientEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients of a namespace.
 *
 * <p>Each client has an entry with its name, which it writes when it connects, again when it has
 * connected anew and once in a while, and deletes when it closes.
 */
final class Directory {

  /** How long an entry outlasts its client's last word. */
  static final Duration KEEP = Duration.ofDays(1);

  private static final long REFRESH_NANOS = Duration.ofHours(6).toNanos();
  private static final long FAREWELL_MILLIS = 2_000;

  private final ScriptCalls calls;
  private final Keyspace keyspace;
  private final PushListener pushes;
  private final ClientInfo self;
  private final TimeSource time;

  /** When this client has to write its entry again. */
  private final AtomicLong refreshNanos;

  private volatile int connections;

  Directory(
      ScriptCalls calls, Keyspace keyspace, PushListener pushes, ClientInfo self, TimeSource time) {
    this.calls = calls;
    this.keyspace = keyspace;
    this.pushes = pushes;
    this.self = self;
    this.time = time;
    this.refreshNanos = new AtomicLong(time.nanos() + REFRESH_NANOS);
    this.connections = pushes.connections();
  }

  // ------------------------------------------------------------- this client

  /** Writes this client's entry again if it is time. Costs next to nothing if it is not. */
  void refresh() {
    int now = pushes.connections();
    long due = refreshNanos.get();
    boolean isDue = now != connections || time.nanos() - due >= 0;
    if (isDue && refreshNanos.compareAndSet(due, time.nanos() + REFRESH_NANOS)) {
      connections = now;
      var unused = write(KEEP.toMillis());
    }
  }

  /** Deletes this client's entry, and waits for that for a moment. */
  void close() {
    try {
      write(0).get(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      return; // it goes by itself, later
    }
  }

  private CompletableFuture<List<Outcome<Boolean>>> write(long keepMillis) {
    byte[] key = keyspace.client(self.id());
    return calls.grouped(
        Script.CLIENT,
        List.of(key),
        group -> new Request().add(1).add(key).add(ClientEntry.bytes(self)).add(keepMillis),
        (reply, i) -> reply.nextFlag(),
        false);
  }

  // ------------------------------------------------------------- all of them

  CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    List<byte[]> keys = ids.stream().map(keyspace::client).toList();
    return calls
        .grouped(
            Script.CLIENTS,
            keys,
            group -> {
              Request request = new Request().add(group.length);
              for (int i : group) {
                request.add(keys.get(i));
              }
              return request;
            },
            (reply, i) -> ClientEntry.parse(ids.get(i), reply.nextText()).stream().toList(),
            false)
        .thenApply(Directory::together);
  }

  /** Returns all answers as one, or the first that is none. */
  private static <T> Outcome<List<T>> together(List<Outcome<List<T>>> outcomes) {
    List<T> all = new ArrayList<>();
    for (Outcome<List<T>> outcome : outcomes) {
      if (outcome instanceof Outcome.Answered<List<T>> answered) {
        all.addAll(answered.answer());
      } else {
        return outcome;
      }
    }
    return Outcome.answered(all);
  }
}

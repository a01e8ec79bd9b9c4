package io.lockkeeper.redis;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.ClientEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is in a namespace, and who its clients are.
 *
 * <p>Each client has an entry with its name, which it writes when it connects, again when it has
 * connected anew and once in a while, and deletes when it closes.
 */
final class Directory {

  /** How long an entry outlasts its client's last word. */
  static final Duration KEEP = Duration.ofDays(1);

  private static final long REFRESH_NANOS = Duration.ofHours(6).toNanos();
  private static final long FAREWELL_MILLIS = 500;

  /** About how many keys the server looks at in one step. */
  private static final int PAGE = 1_000;

  private final ScriptCalls calls;
  private final Link link;
  private final Keyspace keyspace;
  private final PushListener pushes;
  private final ClientInfo self;
  private final TimeSource time;

  /** When this client has to write its entry again. */
  private final AtomicLong refreshNanos;

  private volatile int connections;

  Directory(
      ScriptCalls calls,
      Link link,
      Keyspace keyspace,
      PushListener pushes,
      ClientInfo self,
      TimeSource time) {
    this.calls = calls;
    this.link = link;
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
        (suffixes, group) ->
            new Request().add(1).add(key).add(ClientEntry.bytes(self)).add(keepMillis),
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
            (suffixes, group) -> {
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

  CompletionStage<Outcome<List<ResourceId>>> resources() {
    CompletableFuture<Outcome<List<ResourceId>>> result = new CompletableFuture<>();
    try {
      scan(new ArrayDeque<>(link.places(keyspace.place())), "0", new LinkedHashSet<>(), result);
    } catch (RuntimeException e) {
      result.complete(Outcome.unknown(e));
    }
    return result;
  }

  /** Looks at a part of the first place's keys, then at the next part or place. */
  private void scan(
      Deque<byte[]> places,
      String cursor,
      Set<ResourceId> found,
      CompletableFuture<Outcome<List<ResourceId>>> result) {
    var unused =
        calls
            .grouped(
                Script.RESOURCES,
                List.of(places.getFirst()),
                (suffixes, group) ->
                    new Request()
                        .add(1)
                        .add(places.getFirst())
                        .add(keyspace.pattern())
                        .add(cursor)
                        .add(PAGE),
                (reply, i) -> page(reply, found),
                false)
            .whenComplete(
                (outcomes, failure) -> {
                  if (failure != null) {
                    result.complete(Outcome.unknown(failure));
                  } else {
                    scanned(outcomes.get(0), places, found, result);
                  }
                });
  }

  private void scanned(
      Outcome<String> outcome,
      Deque<byte[]> places,
      Set<ResourceId> found,
      CompletableFuture<Outcome<List<ResourceId>>> result) {
    if (outcome instanceof Outcome.Answered<String> answered) {
      String cursor = answered.answer();
      if (cursor.equals("0")) {
        places.removeFirst();
      }
      if (places.isEmpty()) {
        result.complete(Outcome.answered(List.copyOf(found)));
      } else {
        scan(places, cursor, found, result);
      }
    } else if (outcome instanceof Outcome.Refused<String> refused) {
      result.complete(Outcome.refused(refused.problem(), refused.message()));
    } else if (outcome instanceof Outcome.Unknown<String> unknown) {
      result.complete(Outcome.unknown(unknown.cause()));
    }
  }

  /** Reads a part of the keys and returns where to go on. */
  private String page(Reply reply, Set<ResourceId> found) {
    String cursor = reply.nextText();
    long size = reply.nextNumber();
    for (long i = 0; i < size; i++) {
      ResourceId resource = keyspace.resource(reply.nextText());
      if (resource != null) {
        found.add(resource);
      }
    }
    return cursor;
  }
}

package io.lockkeeper.redis;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Named;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists the resources or the cells of a namespace by its index. Where there is none, all keys of
 * the servers have to be looked at: always in a cluster; on one server once, and the index has them
 * all from then on.
 */
final class NameList<I extends Named> {

  /** How many names, or about how many keys, the server looks at in one step. */
  private static final int PAGE = 1_000;

  private static final int SMALLEST_PAGE = 64;
  private static final byte[] NO_INDEX = {};
  private static final String BEGIN = "0";

  private final ScriptCalls calls;
  private final Link link;
  private final Keyspace keyspace;
  private final String what;
  private final Function<String, @Nullable I> reader;
  private final Function<I, byte[]> key;
  private final Function<String, String> pattern;

  private NameList(
      ScriptCalls calls,
      Link link,
      Keyspace keyspace,
      String what,
      Function<String, @Nullable I> reader,
      Function<I, byte[]> key,
      Function<String, String> pattern) {
    this.calls = calls;
    this.link = link;
    this.keyspace = keyspace;
    this.what = what;
    this.reader = reader;
    this.key = key;
    this.pattern = pattern;
  }

  static NameList<ResourceId> ofResources(ScriptCalls calls, Link link, Keyspace keyspace) {
    return new NameList<>(
        calls, link, keyspace, "r", keyspace::resource, keyspace::record, keyspace::pattern);
  }

  static NameList<CellId> ofCells(ScriptCalls calls, Link link, Keyspace keyspace) {
    return new NameList<>(
        calls, link, keyspace, "c", keyspace::cellOf, keyspace::cell, keyspace::pattern);
  }

  /** Lists the namespaces that have records, by a look at all keys of the servers. */
  CompletionStage<Outcome<List<String>>> namespaces() {
    NameList<ResourceId> list =
        new NameList<>(
            calls,
            link,
            keyspace,
            "n",
            key -> {
              String namespace = Keyspace.namespaceOf(key);
              return namespace == null ? null : ResourceId.lock(namespace);
            },
            keyspace::record,
            prefix -> Keyspace.patternOfAll());
    return list.scan(Listing.all()).thenApply(NameList::names);
  }

  private static Outcome<List<String>> names(Outcome<List<ResourceId>> outcome) {
    if (outcome instanceof Outcome.Answered<List<ResourceId>> answered) {
      return Outcome.answered(answered.answer().stream().map(ResourceId::name).toList());
    }
    return outcome instanceof Outcome.Refused<?> refused
        ? Outcome.refused(refused.problem(), refused.message())
        : Outcome.unknown(
            outcome instanceof Outcome.Unknown<?> unknown
                ? unknown.cause()
                : new IllegalStateException("no answer"));
  }

  /** Returns where the answer to a question begins in the index. */
  private byte[] begin(Listing<I> listing) {
    I after = listing.after();
    return after == null
        ? keyspace.listFrom(listing.prefix())
        : keyspace.listAfter(key.apply(after));
  }

  CompletionStage<Outcome<List<I>>> find(Listing<I> listing) {
    return link.followsMoves()
        ? scan(listing)
        : search(listing, search -> search.list(begin(listing)));
  }

  private CompletionStage<Outcome<List<I>>> scan(Listing<I> listing) {
    return search(
        listing,
        search -> search.scan(new ArrayDeque<>(link.places(keyspace.place())), BEGIN, NO_INDEX));
  }

  private CompletionStage<Outcome<List<I>>> search(Listing<I> listing, Consumer<Search> first) {
    Search search = new Search(listing);
    try {
      first.accept(search);
    } catch (RuntimeException e) {
      search.result.complete(Outcome.unknown(e));
    }
    return search.result;
  }

  /** One search, step by step. */
  private final class Search {

    private final CompletableFuture<Outcome<List<I>>> result = new CompletableFuture<>();
    private final Set<I> found = new LinkedHashSet<>();
    private final Listing<I> listing;

    Search(Listing<I> listing) {
      this.listing = listing;
    }

    /** Reads a part of the index, and then the next one. */
    void list(byte[] from) {
      int size = Math.min(PAGE, Math.max(SMALLEST_PAGE, listing.limit() - found.size()));
      byte[] index = keyspace.index();
      ask(
          Script.RESOURCES,
          index,
          request -> request.add(from).add(keyspace.listTo(listing.prefix())).add(size).add(what),
          reply -> reply.nextFlag() ? add(reply, keyspace.beginning()) : BEGIN,
          last -> {
            if (last.equals(BEGIN)) {
              scan(new ArrayDeque<>(List.of(index)), BEGIN, index);
            } else if (last.isEmpty() || found.size() >= listing.limit()) {
              end(found.stream().limit(listing.limit()).toList());
            } else {
              list(("(" + last).getBytes(StandardCharsets.UTF_8));
            }
          });
    }

    /** Looks at a part of the first place's keys, then at the next part or place. */
    void scan(Deque<byte[]> places, String cursor, byte[] index) {
      boolean isIndexed = index.length > 0;
      ask(
          Script.SCAN,
          places.getFirst(),
          request ->
              request
                  .add(pattern.apply(isIndexed ? "" : listing.prefix()))
                  .add(cursor)
                  .add(PAGE)
                  .add(index)
                  .add(what),
          reply -> add(reply, ""),
          next -> {
            if (next.equals(BEGIN)) {
              places.removeFirst();
            }
            if (!places.isEmpty()) {
              scan(places, next, index);
            } else if (isIndexed) {
              found.clear();
              list(begin(listing));
            } else {
              end(listing.of(found));
            }
          });
    }

    private void end(List<I> ids) {
      result.complete(Outcome.answered(ids));
    }

    /** Adds the ids that are in an answer, and returns where to go on. */
    private String add(Reply reply, String beginning) {
      String next = reply.nextText();
      long size = reply.nextNumber();
      for (long i = 0; i < size; i++) {
        I id = reader.apply(beginning + reply.nextText());
        if (id != null) {
          found.add(id);
        }
      }
      return next;
    }

    private void ask(
        Script script,
        byte[] key,
        Consumer<Request> arguments,
        Function<Reply, String> reading,
        Consumer<String> next) {
      Request request = new Request().add(1).add(key);
      arguments.accept(request);
      var unused =
          calls
              .grouped(
                  script, List.of(key), group -> request, (reply, i) -> reading.apply(reply), false)
              .handle(
                  (outcomes, failure) -> {
                    if (failure != null) {
                      result.complete(Outcome.unknown(failure));
                    } else {
                      goOn(outcomes.get(0), next);
                    }
                    return true;
                  })
              .exceptionally(broken -> result.complete(Outcome.unknown(broken)));
    }

    private void goOn(Outcome<String> outcome, Consumer<String> next) {
      if (outcome instanceof Outcome.Answered<String> answered) {
        next.accept(answered.answer());
      } else if (outcome instanceof Outcome.Refused<String> refused) {
        result.complete(Outcome.refused(refused.problem(), refused.message()));
      } else if (outcome instanceof Outcome.Unknown<String> unknown) {
        result.complete(Outcome.unknown(unknown.cause()));
      }
    }
  }
}

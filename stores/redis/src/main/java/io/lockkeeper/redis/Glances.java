package io.lockkeeper.redis;

import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Glances at the resources of a namespace, by its index: reads some fields of each record.
 *
 * <p>These are plain commands, one behind the other. For so little a script costs the server about
 * twice as much, and it would keep others waiting until it has read them all.
 */
final class Glances {

  /**
   * How many names the server is asked for at once, in about half a millisecond. It reads the
   * fields of some hundred records before it turns to others; each pause costs it a little, too.
   */
  private static final int PAGE = 4_000;

  private static final long MICROS = 1_000_000;

  private final ScriptCalls calls;
  private final Keyspace keyspace;
  private final NameList<ResourceId> names;

  Glances(ScriptCalls calls, Keyspace keyspace, NameList<ResourceId> names) {
    this.calls = calls;
    this.keyspace = keyspace;
    this.names = names;
  }

  CompletionStage<Outcome<Optional<List<Glance>>>> find(Listing<ResourceId> listing) {
    Search search = new Search(listing);
    ResourceId after = listing.after();
    search.list(
        after == null
            ? keyspace.listFrom(listing.prefix())
            : keyspace.listAfter(keyspace.record(after)));
    return search.result;
  }

  /**
   * The record of a resource as far as it was read.
   *
   * @param holding what tells the current grants from others; empty without one
   * @param leaseMicros as in a glance
   * @param limit how many permits there are; null of a lock, and if the record does not say it
   * @param arrival the last arrival; null if nobody waits
   */
  private record Found(
      String holding, OptionalLong leaseMicros, @Nullable String limit, @Nullable String arrival) {}

  /** One search, page by page. */
  private final class Search {

    private final CompletableFuture<Outcome<Optional<List<Glance>>>> result =
        new CompletableFuture<>();
    private final List<Glance> glances = new ArrayList<>();
    private final Listing<ResourceId> listing;
    private boolean isIndexed;

    Search(Listing<ResourceId> listing) {
      this.listing = listing;
    }

    void list(byte[] from) {
      byte[] index = keyspace.index();
      byte[] mark = keyspace.wholeMark();
      ask(
          List.of(range(index, mark, mark, 1), range(index, from, end(), PAGE)),
          replies -> {
            if (replies.get(0).size() == 0) {
              makeIndex(from);
              return;
            }
            Reply reply = replies.get(1);
            List<String> page = new ArrayList<>();
            while (page.size() < reply.size()) {
              page.add(reply.nextText());
            }
            read(page);
          });
    }

    private byte[] end() {
      return keyspace.listTo(listing.prefix());
    }

    private static Request range(byte[] index, byte[] from, byte[] to, int limit) {
      return new Request()
          .add("ZRANGE")
          .add(index)
          .add(from)
          .add(to)
          .add("BYLEX")
          .add("LIMIT")
          .add(0)
          .add(limit);
    }

    /** A listing of names makes an index that has gone. */
    private void makeIndex(byte[] from) {
      boolean isMadeAgain = isIndexed;
      isIndexed = true;
      follow(
          names.find(new Listing<>("", null, 1)),
          made -> {
            if (isMadeAgain) {
              result.complete(
                  Outcome.unknown(new IllegalStateException("the index of names goes at once")));
            } else {
              list(from);
            }
          });
    }

    private void read(List<String> page) {
      List<ResourceId> ids = new ArrayList<>();
      List<Request> requests = new ArrayList<>();
      requests.add(new Request().add("TIME"));
      for (String name : page) {
        String key = keyspace.beginning() + name;
        ResourceId id = keyspace.resource(key);
        if (id != null) {
          ids.add(id);
          requests.add(
              new Request()
                  .add("HMGET")
                  .add(key.getBytes(StandardCharsets.UTF_8))
                  .add("o")
                  .add("u")
                  .add("t")
                  .add("l")
                  .add("e")
                  .add("n"));
        }
      }
      ask(
          requests,
          replies -> {
            Reply time = replies.get(0);
            long now = Long.parseLong(time.nextText()) * MICROS + Long.parseLong(time.nextText());
            Map<ResourceId, Found> found = new LinkedHashMap<>();
            for (int i = 0; i < ids.size(); i++) {
              Reply reply = replies.get(i + 1);
              if (!reply.hasError()) {
                found.put(ids.get(i), found(ids.get(i), reply, now));
              }
            }
            countWaiting(page, found);
          });
    }

    private static Found found(ResourceId id, Reply reply, long now) {
      String inside = reply.nextTextIfAny();
      String beside = reply.nextTextIfAny();
      String token = reply.nextTextIfAny();
      String limit = reply.nextTextIfAny();
      String needed = reply.nextTextIfAny();
      String arrival = reply.nextTextIfAny();
      String holding = "";
      long left = 0;
      if (inside != null) {
        // its client and number, since when, for how long, permits, token, number of tokens, the
        // rest
        String[] words = inside.split(" ", 7);
        left = words.length < 7 ? 1 : left(words[1], words[2], now);
        holding =
            words.length < 7
                ? inside
                : String.join(
                    " ", words[0], words[3], words[4], words[6].replaceFirst("^[^|]*", ""));
      }
      OptionalLong lease = id.isExclusive() ? OptionalLong.of(left) : OptionalLong.empty();
      boolean isHeld = left > 0;
      if (beside != null && needed != null && left("0", needed.split(" ", 2)[0], now) > 0) {
        holding = (isHeld ? holding : "") + " and " + beside + " " + token;
        isHeld = true;
      }
      return isHeld
          ? new Found(holding, lease, limit, arrival)
          : new Found("", OptionalLong.empty(), limit, arrival);
    }

    /** Returns how long it is until the end; what is no number is for an inspection to judge. */
    private static long left(String since, String span, long now) {
      try {
        return Math.min(Long.parseLong(since), now) + Long.parseLong(span) - now;
      } catch (NumberFormatException e) {
        return 1;
      }
    }

    /** Counts the waiters where there may be any: leaving changes nothing in the record. */
    private void countWaiting(List<String> page, Map<ResourceId, Found> found) {
      List<Request> requests = new ArrayList<>();
      found.forEach(
          (id, one) -> {
            if (one.arrival() != null) {
              requests.add(new Request().add("ZCARD").add(keyspace.queue(id)));
            }
          });
      if (requests.isEmpty()) {
        end(page, found, List.of());
      } else {
        ask(requests, replies -> end(page, found, replies));
      }
    }

    private void end(List<String> page, Map<ResourceId, Found> found, List<Reply> queues) {
      int at = 0;
      for (Map.Entry<ResourceId, Found> each : found.entrySet()) {
        Found one = each.getValue();
        long waiting = 0;
        if (one.arrival() != null) {
          Reply queue = queues.get(at++);
          waiting = queue.hasError() ? 1 : queue.nextNumber();
        }
        if (!one.holding().isEmpty() || waiting > 0) {
          String stamp = one.holding() + "|" + one.limit() + "|" + waiting + "|" + one.arrival();
          glances.add(new Glance(each.getKey(), stamp, one.leaseMicros()));
        }
      }
      if (page.size() == PAGE && glances.size() < listing.limit()) {
        list(("(" + page.get(PAGE - 1)).getBytes(StandardCharsets.UTF_8));
      } else {
        List<Glance> asked = glances.stream().limit(listing.limit()).toList();
        result.complete(Outcome.answered(Optional.of(asked)));
      }
    }

    private void ask(List<Request> requests, Consumer<List<Reply>> next) {
      follow(
          calls.read(requests),
          replies -> {
            String error =
                replies.stream()
                    .filter(Reply::hasError)
                    .map(Reply::getError)
                    .filter(each -> !each.startsWith("WRONGTYPE")) // no record of ours
                    .findFirst()
                    .orElse(null);
            if (error == null) {
              next.accept(replies);
            } else {
              String index = new String(keyspace.index(), StandardCharsets.UTF_8);
              result.complete(Failure.ofError(error, index, false).toOutcome());
            }
          });
    }

    private <T> void follow(CompletionStage<Outcome<T>> asked, Consumer<T> next) {
      var unused =
          asked
              .thenAccept(
                  outcome -> {
                    if (outcome instanceof Outcome.Answered<T> answered) {
                      next.accept(answered.answer());
                    } else if (outcome instanceof Outcome.Refused<T> refused) {
                      result.complete(Outcome.refused(refused.problem(), refused.message()));
                    } else if (outcome instanceof Outcome.Unknown<T> unknown) {
                      result.complete(Outcome.unknown(unknown.cause()));
                    }
                  })
              .exceptionally(
                  broken -> {
                    result.complete(Outcome.unknown(broken));
                    return null;
                  });
    }
  }
}

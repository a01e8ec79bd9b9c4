package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records on maps that break one line of the contract. It is for one thread; all its clients share
 * what it remembers.
 */
final class BrokenRecords implements Function<String, RecordStore> {

  /** What is broken. */
  enum Fault {
    /** Of a reading, the head is of now and the entries are those of an earlier reading. */
    TWO_MOMENTS,
    /** The versions of a record that was deleted and made anew begin again. */
    VERSIONS_BEGIN_AGAIN,
    /** A conflict is answered with what was answered to an earlier change. */
    AN_EARLIER_ANSWER,
    /** A change is made on whatever is there. */
    NO_CONDITION,
    /** A reading shows what another showed before. */
    AN_EARLIER_READING,
    /** A change that is in conflict puts its entries all the same. */
    HALF_A_CHANGE,
    /** A conflict shows the first entry, and none of those that were asked for by name. */
    ONLY_THE_FIRST
  }

  private final Fault fault;
  private final MapsServer server;
  private final Map<String, Reading> earlier = new ConcurrentHashMap<>();
  private final Map<String, Long> begun = new ConcurrentHashMap<>();

  BrokenRecords(Fault fault, TimeSource time) {
    this.fault = fault;
    this.server = new MapsServer("broken", time);
  }

  @Override
  public RecordStore apply(String clientId) {
    return new DelegatingRecords(server.open(clientId)) {

      @Override
      public String describe() {
        return super.describe() + " with " + fault;
      }

      @Override
      public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
        return each(requests, request -> () -> reading(request.key()));
      }

      @Override
      public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
        return each(changes, change -> () -> committed(change));
      }
    };
  }

  private static <Q, A> CompletionStage<List<Outcome<A>>> each(
      List<Q> requests, Function<Q, Supplier<A>> answer) {
    return CompletableFuture.completedFuture(
        requests.stream().map(each -> Outcome.answered(answer.apply(each).get())).toList());
  }

  private Reading reading(String key) {
    Reading now = shown(server.read(key), key);
    Reading before = earlier.put(key, now);
    String head = now.head();
    if (before == null || before.head() == null || head == null) {
      return now;
    }
    return switch (fault) {
      case TWO_MOMENTS -> Reading.of(now.version(), head, before.entries());
      case AN_EARLIER_READING -> before;
      default -> now;
    };
  }

  /** Returns a record with the version that this store gives it. */
  private Reading shown(Reading now, String key) {
    String head = now.head();
    if (fault != Fault.VERSIONS_BEGIN_AGAIN) {
      return now;
    }
    return head == null
        ? Reading.absent(0)
        : Reading.of(now.version() - begun.getOrDefault(key, 0L), head, now.entries());
  }

  private CommitAnswer committed(Change change) {
    Reading now = server.read(change.key());
    if (fault == Fault.NO_CONDITION) {
      return server.commit(expecting(change, now.version()));
    } else if (fault == Fault.VERSIONS_BEGIN_AGAIN) {
      return beginningAgain(change, now);
    }
    CommitAnswer answer = server.commit(change);
    if (answer instanceof CommitAnswer.Conflict) {
      if (fault == Fault.AN_EARLIER_ANSWER) {
        return new CommitAnswer.Committed(now.version());
      } else if (fault == Fault.HALF_A_CHANGE && now.head() != null) {
        server.commit(
            new Change(
                change.key(), now.version(), now.head(), List.of(), change.put(), List.of()));
      } else if (fault == Fault.ONLY_THE_FIRST) {
        return new CommitAnswer.Conflict(first(now));
      }
    }
    return answer;
  }

  private static Reading first(Reading all) {
    String head = all.head();
    return head == null || all.entries().size() < 2
        ? all
        : Reading.page(all.version(), head, all.entries().subList(0, 1), List.of());
  }

  private CommitAnswer beginningAgain(Change change, Reading now) {
    Reading shown = shown(now, change.key());
    if (change.expected() != shown.version()) {
      return new CommitAnswer.Conflict(shown);
    }
    server.commit(expecting(change, now.version()));
    Reading after = server.read(change.key());
    if (now.head() == null) {
      begun.put(change.key(), after.version() - 1);
    }
    return new CommitAnswer.Committed(shown(after, change.key()).version());
  }

  private static Change expecting(Change change, long version) {
    return new Change(
        change.key(), version, change.head(), change.removed(), change.put(), change.messages());
  }
}

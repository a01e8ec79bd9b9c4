package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records on maps that append entries and notify of changes, or break a line of that. */
final class RecordsThatAppend extends DelegatingRecords {

  /** What is broken. */
  enum Fault {
    /** What is appended gives the record a new version. */
    APPENDED_ANEW,
    /** What is appended stands before all others. */
    APPENDED_FIRST,
    /** What is appended makes a record if there is none. */
    APPENDED_TO_NOTHING,
    /** A commit counts only what its client has seen. */
    NOT_COUNTED,
    /** A deletion takes with it what its client has not seen. */
    DELETED_UNSEEN,
    /** What is appended stays when its client is gone. */
    LEFT_BEHIND,
    /** Nobody is notified of a change. */
    NOT_NOTIFIED,
    /** A change is made though what it demands is not there. */
    CHANGED_BY_THE_GONE,
    /** The same, of what is appended. */
    APPENDED_BY_THE_GONE,
    /** A bound record stays when its client is gone. */
    PRESENT_FOR_EVER
  }

  /** Who watches which records, at all clients of a server. */
  private final Map<String, Set<Listener>> watchers;

  private final MapsServer server;
  private final RecordsWithSessions sessions;
  private final @Nullable Fault fault;
  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();
  private final Set<String> put = ConcurrentHashMap.newKeySet();
  private @Nullable Listener listener;

  RecordsThatAppend(
      MapsServer server,
      String clientId,
      Map<String, Set<Listener>> watchers,
      @Nullable Fault fault) {
    this(server, new RecordsWithSessions(server, clientId), watchers, fault);
  }

  private RecordsThatAppend(
      MapsServer server,
      RecordsWithSessions sessions,
      Map<String, Set<Listener>> watchers,
      @Nullable Fault fault) {
    super(sessions);
    this.sessions = sessions;
    this.server = server;
    this.watchers = watchers;
    this.fault = fault;
  }

  @Override
  public boolean appends() {
    return true;
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean watches() {
    return true;
  }

  @Override
  public void listen(Listener hears) {
    listener = hears;
    super.listen(hears);
  }

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    Listener hears = listener;
    for (ReadRequest request : requests) {
      if (request.isWatched() && hears != null) {
        watchers.computeIfAbsent(request.key(), any -> ConcurrentHashMap.newKeySet()).add(hears);
      }
      see(request.key(), server.read(request.key()));
    }
    return super.read(requests);
  }

  private void see(String key, Reading reading) {
    seen.put(key, reading.entries().stream().map(Entry::name).collect(Collectors.toSet()));
  }

  @Override
  public CompletionStage<Outcome<Reading>> append(Appending appending) {
    Reading before = server.read(appending.key());
    boolean isGone = !sessions.isThere(appending.demanded()) && fault != Fault.APPENDED_BY_THE_GONE;
    if (isGone || (before.head() == null && fault != Fault.APPENDED_TO_NOTHING)) {
      return CompletableFuture.completedFuture(
          Outcome.answered(Reading.absent(Change.ANY_ABSENCE)));
    }
    appending.put().forEach(entry -> put.add(entry.name()));
    Reading after = server.append(appending, fault == Fault.APPENDED_FIRST);
    if (fault == Fault.APPENDED_ANEW) {
      server.commit(
          new Change(
              appending.key(), after.version(), after.head(), List.of(), List.of(), List.of()));
      after = server.read(appending.key());
    }
    see(appending.key(), after);
    return CompletableFuture.completedFuture(Outcome.answered(after));
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    List<Outcome<CommitAnswer>> answers = new ArrayList<>();
    changes.forEach(change -> answers.add(commit(change)));
    return CompletableFuture.completedFuture(answers);
  }

  private Outcome<CommitAnswer> commit(Change change) {
    Reading before = server.read(change.key());
    boolean hasUnseen =
        before.entries().stream()
            .anyMatch(
                entry ->
                    entry.isBound()
                        && !seen.getOrDefault(change.key(), Set.of()).contains(entry.name()));
    if (change.head() == null && hasUnseen && fault != Fault.DELETED_UNSEEN) {
      return Outcome.answered(new CommitAnswer.Conflict(null));
    }
    Outcome<CommitAnswer> answer =
        super.commit(List.of(passedOn(change))).toCompletableFuture().join().get(0);
    if (answer instanceof Outcome.Answered<CommitAnswer> answered
        && answered.answer() instanceof CommitAnswer.Committed done) {
      if (fault != Fault.NOT_NOTIFIED) {
        Set<Listener> all = watchers.remove(change.key());
        if (all != null) {
          all.forEach(hears -> hears.changed(change.key()));
        }
      }
      Reading after = server.read(change.key());
      long count =
          after.entries().stream()
              .filter(entry -> fault != Fault.NOT_COUNTED || !entry.isBound())
              .count();
      return Outcome.answered(new CommitAnswer.Committed(done.version(), (int) count));
    }
    return answer;
  }

  private Change passedOn(Change change) {
    return fault == Fault.CHANGED_BY_THE_GONE
        ? change.demanding(null)
        : fault == Fault.PRESENT_FOR_EVER
            ? new Change(
                change.key(),
                change.expected(),
                change.head(),
                change.removed(),
                change.put(),
                change.messages())
            : change;
  }

  @Override
  public void close() {
    super.close();
    if (fault != Fault.LEFT_BEHIND) {
      server.keys().forEach(key -> server.remove(key, put));
    }
  }
}

package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import io.lockkeeper.testkit.tck.store.StoreProbe;
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
    APPENDED_ANEW("whatIsAppendedIsTheLastAndLeavesHeadAndVersion"),
    /** What is appended stands before all others. */
    APPENDED_FIRST("whatIsAppendedIsTheLastAndLeavesHeadAndVersion"),
    /** What is appended makes a record if there is none. */
    APPENDED_TO_NOTHING("nothingIsAppendedWhereThereIsNoRecord"),
    /** A commit counts only what its client has seen. */
    NOT_COUNTED("aCommitCountsAlsoTheEntriesThatItsClientHasNotSeen"),
    /** A deletion takes with it what its client has not seen. */
    DELETED_UNSEEN("aRecordIsNotDeletedWithEntriesThatItsClientHasNotSeen"),
    /** What is appended stays when its client is gone. */
    LEFT_BEHIND("whatIsAppendedGoesWithItsClient"),
    /** Nobody is notified of a change. */
    NOT_NOTIFIED("whoReadsARecordToWatchItIsNotifiedOfItsNextChange"),
    /** A change is made though what it demands is not there. */
    CHANGED_BY_THE_GONE("aChangeIsMadeOnlyWhileTheRecordIsThereThatItDemands"),
    /** The same, of what is appended. */
    APPENDED_BY_THE_GONE("nothingIsAppendedByAClientWhoseRecordIsNotThere"),
    /** A change says the places of what it put as if that came before the change. */
    PLACED_TOO_EARLY("aChangeIsAnsweredWithThePlacesThatReadingsShow"),
    /** A bound record stays when its client is gone. */
    PRESENT_FOR_EVER("aBoundRecordGoesWithItsClient");

    /** The test of the contract that notices it. */
    final String test;

    Fault(String test) {
      this.test = test;
    }
  }

  /** What all clients of a server share. */
  static final class Shared {

    /** The clients that watch a record, by its key. */
    private final Map<String, Set<Listener>> watchers = new ConcurrentHashMap<>();

    /** The places of bound entries, by key and name. */
    private final Map<String, Long> places = new ConcurrentHashMap<>();

    private int placed;
  }

  private final Shared shared;

  private final MapsServer server;
  private final RecordsWithSessions sessions;
  private final @Nullable Fault fault;
  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();
  private final Set<String> put = ConcurrentHashMap.newKeySet();
  private @Nullable Listener listener;

  RecordsThatAppend(MapsServer server, String clientId, Shared shared, @Nullable Fault fault) {
    this(server, new RecordsWithSessions(server, clientId), shared, fault);
  }

  private RecordsThatAppend(
      MapsServer server, RecordsWithSessions sessions, Shared shared, @Nullable Fault fault) {
    super(sessions);
    this.sessions = sessions;
    this.server = server;
    this.shared = shared;
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
        shared
            .watchers
            .computeIfAbsent(request.key(), any -> ConcurrentHashMap.newKeySet())
            .add(hears);
      }
      see(request.key(), server.read(request.key()));
    }
    return super.read(requests)
        .thenApply(
            all -> {
              List<Outcome<Reading>> placed = new ArrayList<>();
              for (int i = 0; i < all.size(); i++) {
                String key = requests.get(i).key();
                placed.add(Outcome.answered(placed(key, StoreProbe.answer(all.get(i)))));
              }
              return placed;
            });
  }

  private Reading placed(String key, Reading reading) {
    List<Entry> entries = reading.entries().stream().map(entry -> placed(key, entry)).toList();
    return new Reading(
        reading.version(),
        reading.head(),
        entries,
        reading.leading(),
        reading.isComplete(),
        moment());
  }

  private Entry placed(String key, Entry entry) {
    Long place = shared.places.get(key + " " + entry.name());
    return place == null || !entry.isBound()
        ? entry
        : new Entry(entry.name(), entry.text(), true, place);
  }

  /** Gives new places to what was put; returns that for the answer. */
  private List<Entry> place(Change change) {
    long early = fault == Fault.PLACED_TOO_EARLY ? Entry.place(1, 0) : 0;
    List<Entry> bound = change.put().stream().filter(Entry::isBound).toList();
    bound.forEach(entry -> place(change.key(), entry));
    return bound.stream()
        .map(entry -> placed(change.key(), entry))
        .map(entry -> new Entry(entry.name(), entry.text(), true, entry.place() - early))
        .toList();
  }

  private void place(String key, Entry entry) {
    shared.places.put(key + " " + entry.name(), Entry.place(moment(), ++shared.placed));
  }

  private long moment() {
    return server.read("").version();
  }

  private void see(String key, Reading reading) {
    seen.put(key, reading.entries().stream().map(Entry::name).collect(Collectors.toSet()));
  }

  @Override
  public CompletionStage<Outcome<Reading>> append(Appending appending) {
    synchronized (shared) {
      return CompletableFuture.completedFuture(Outcome.answered(appended(appending)));
    }
  }

  private Reading appended(Appending appending) {
    Reading before = server.read(appending.key());
    boolean isGone = !sessions.isThere(appending.demanded()) && fault != Fault.APPENDED_BY_THE_GONE;
    if (isGone || (before.head() == null && fault != Fault.APPENDED_TO_NOTHING)) {
      return Reading.absent(Change.ANY_ABSENCE);
    }
    appending.put().forEach(entry -> place(appending.key(), entry));
    appending.put().forEach(entry -> put.add(entry.name()));
    Reading after = server.append(appending, fault == Fault.APPENDED_FIRST);
    if (fault == Fault.APPENDED_ANEW) {
      server.commit(
          new Change(
              appending.key(), after.version(), after.head(), List.of(), List.of(), List.of()));
      after = server.read(appending.key());
    }
    see(appending.key(), after);
    return placed(appending.key(), after);
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    List<Outcome<CommitAnswer>> answers = new ArrayList<>();
    synchronized (shared) {
      changes.forEach(change -> answers.add(commit(change)));
    }
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
        Set<Listener> all = shared.watchers.remove(change.key());
        if (all != null) {
          all.forEach(hears -> hears.changed(change.key()));
        }
      }
      Reading after = server.read(change.key());
      long count =
          after.entries().stream()
              .filter(entry -> fault != Fault.NOT_COUNTED || !entry.isBound())
              .count();
      return Outcome.answered(
          new CommitAnswer.Committed(done.version(), (int) count, place(change)));
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

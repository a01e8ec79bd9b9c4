package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Appending;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.Message;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Delays;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each line of the contract of {@link RecordStore} as tests. A store's module extends it and says
 * how a client opens its way to the records.
 *
 * <p>Each test has keys of its own, so nothing has to be cleaned up between them.
 *
 * <p>This file is long because the contract is best read in one place.
 */
@Timeout(600)
public abstract class RecordStoreContract {

  private static final int ROUNDS = 200;
  private static final int THREADS = 4;
  private static final int LONG_TEXT = 200_000;
  private static final int MANY = 80;

  private final List<RecordStore> opened = new ArrayList<>();
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final List<String> changed = new CopyOnWriteArrayList<>();
  private final String prefix = "contract-" + UUID.randomUUID() + "/";
  private final String key = prefix + "r/lock/a";
  private @Nullable RecordStore mine;
  private @Nullable RecordStore others;

  /** Opens the way of a client to the store under test, the same store for each client. */
  protected abstract RecordStore open(String clientId);

  /** Opens two clients. */
  @BeforeEach
  public final void begin() {
    mine = open("mine", messages::add);
    others = open("others", text -> {});
  }

  private RecordStore open(String clientId, Consumer<String> heard) {
    RecordStore store = open(clientId);
    opened.add(store);
    store.listen(
        new RecordStore.Listener() {
          @Override
          public void message(String text) {
            heard.accept(text);
          }

          @Override
          public void changed(String key) {
            if (clientId.equals("mine")) {
              changed.add(key);
            }
          }

          @Override
          public void reconnected() {}
        });
    return store;
  }

  /** Closes them. */
  @AfterEach
  public final void end() {
    opened.forEach(RecordStore::close);
  }

  private RecordStore mine() {
    return Objects.requireNonNull(mine);
  }

  private RecordStore others() {
    return Objects.requireNonNull(others);
  }

  // ------------------------------------------------------------- what is asked and answered

  private static Reading read(RecordStore store, String key) {
    return answer(store.read(List.of(ReadRequest.all(key)))).get(0);
  }

  private Reading read() {
    return read(mine(), key);
  }

  private static <T> List<T> answer(CompletionStage<List<Outcome<T>>> outcomes) {
    return StoreProbe.get(outcomes).stream().map(StoreProbe::answer).toList();
  }

  private static CommitAnswer commit(RecordStore store, Change change) {
    return answer(store.commit(List.of(change))).get(0);
  }

  private long committed(Change change) {
    CommitAnswer answer = commit(mine(), change);
    assertThat(answer).isInstanceOf(CommitAnswer.Committed.class);
    return ((CommitAnswer.Committed) answer).version();
  }

  private void refused(Change change) {
    assertThat(commit(mine(), change)).isInstanceOf(CommitAnswer.Conflict.class);
  }

  private Change head(long expected, @Nullable String head, Entry... put) {
    return new Change(key, expected, head, List.of(), List.of(put), List.of());
  }

  private static Entry entry(String name, String text) {
    return new Entry(name, text);
  }

  // ------------------------------------------------------------- one moment

  @Test
  public void aRecordThatWasNeverThereIsAbsent() {
    assertThat(read().head()).isNull();
    assertThat(read().entries()).isEmpty();
  }

  @Test
  public void whatWasCommittedIsRead() {
    committed(head(read().version(), "head", entry("b", "1")));
    long version = committed(head(read().version(), "head", entry("a", "2")));

    assertThat(read().at(version))
        .isEqualTo(Reading.of(version, "head", List.of(entry("b", "1"), entry("a", "2"))));
  }

  /** The head and all entries of each version hold the same number. */
  @Test
  public void aReadingIsOfOneMoment() throws Exception {
    committed(head(read().version(), "0", entry("a", "0"), entry("b", "0")));
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> writing = writer.submit(this::countUp);
      while (!writing.isDone()) {
        assertThatItIsOfOneMoment(read(others(), key));
      }
      writing.get();
      assertThatItIsOfOneMoment(read(others(), key));
    } finally {
      writer.shutdownNow();
    }
  }

  private static void assertThatItIsOfOneMoment(Reading reading) {
    assertThat(reading.entries())
        .as("version %d", reading.version())
        .extracting(Entry::text)
        .containsOnly(String.valueOf(reading.head()));
  }

  private void countUp() {
    for (int i = 1; i <= ROUNDS; i++) {
      String number = String.valueOf(i);
      committed(head(read().version(), number, entry("a", number), entry("b", number)));
    }
  }

  @Test
  public void aConflictThatShowsARecordShowsItOfOneMoment() {
    committed(head(read().version(), "1", entry("a", "1")));
    long version = committed(head(read().version(), "2", entry("a", "2")));

    Reading found = found(head(version - 1, "3").orElse(ReadRequest.all(key)));

    if (found != null) {
      assertThat(found).isEqualTo(read());
    }
  }

  private @Nullable Reading found(Change inConflict) {
    CommitAnswer answer = commit(others(), inConflict);
    assertThat(answer).isInstanceOf(CommitAnswer.Conflict.class);
    return ((CommitAnswer.Conflict) answer).found();
  }

  /** A client that takes it for all that concerns it would lose what is further behind. */
  @Test
  public void aConflictThatShowsARecordShowsWhatWasAskedForByName() {
    committed(head(read().version(), "1", entry("a/1", "1")));
    committed(head(read().version(), "1", manyEntries("b/")));
    long version = committed(head(read().version(), "2", entry("a/2", "2")));

    Reading found = found(head(version - 1, "3").orElse(new ReadRequest(key, 1, "a/")));

    if (found != null) {
      assertThat(found.entries()).contains(entry("a/1", "1"), entry("a/2", "2"));
      assertThat(found.isComplete()).isEqualTo(found.entries().equals(read().entries()));
    }
  }

  private static Entry[] manyEntries(String beginning) {
    return IntStream.range(0, MANY).mapToObj(i -> entry(beginning + i, "1")).toArray(Entry[]::new);
  }

  // ------------------------------------------------------------- versions never come again

  @Test
  public void versionsGrowAlsoWhenARecordIsDeletedAndMadeAnew() {
    long last = read().version();
    for (int i = 0; i < ROUNDS; i++) {
      boolean isDeletion = i % 3 == 2;
      Reading before = read();
      long version = committed(head(before.version(), isDeletion ? null : "head " + i));
      Reading after = read();

      assertThat(version).isGreaterThan(last);
      assertThat(after.version()).isGreaterThanOrEqualTo(version);
      if (!isDeletion) {
        assertThat(after.version()).isEqualTo(version);
      }
      last = version;
    }
  }

  /** So a client can make sure that nothing of what it sent before is carried out any more. */
  @Test
  public void aChangeThatLeavesAllAsItWasGivesANewVersion() {
    long absent = read().version();
    committed(head(absent, null));
    refused(head(absent, "late"));
    assertThat(read().head()).isNull();

    long begun = committed(head(read().version(), "head"));
    committed(head(begun, "head"));
    refused(head(begun, "late"));
    assertThat(read().head()).isEqualTo("head");
  }

  /** It was absent before, and is again, but in between it was there. */
  @Test
  public void anAbsenceIsNotAnotherAbsence() {
    long absent = read().version();
    committed(head(absent, "head"));
    committed(head(read().version(), null));

    refused(head(absent, "late"));

    assertThat(read().head()).isNull();
  }

  @Test
  public void versionsAreLargerThanAnyAbsence() {
    assertThat(read().version()).isGreaterThan(Change.ANY_ABSENCE);
  }

  @Test
  public void aRecordIsMadeOnAnyAbsenceWhateverWasThereBefore() {
    assumeTrue(mine().makesOnAnyAbsence(), "this store makes records on known absences only");
    long last = 0;
    for (int i = 0; i < ROUNDS; i++) {
      RecordStore store = i % 2 == 0 ? mine() : others();
      CommitAnswer made = commit(store, head(Change.ANY_ABSENCE, "head " + i));
      assertThat(made).isInstanceOf(CommitAnswer.Committed.class);
      long version = ((CommitAnswer.Committed) made).version();
      assertThat(version).isGreaterThan(last);
      assertThat(read().head()).isEqualTo("head " + i);
      assertThat(read().version()).isEqualTo(version);

      last = committed(head(version, null));
    }
  }

  @Test
  public void noRecordIsMadeOnAnyAbsenceWhereThereIsOne() throws Exception {
    assumeTrue(mine().makesOnAnyAbsence(), "this store makes records on known absences only");
    inRounds(
        round -> {
          Reading before = read();
          if (before.head() != null) {
            committed(head(before.version(), null));
          }
          return () ->
              commit(others(), head(Change.ANY_ABSENCE, "made")) instanceof CommitAnswer.Committed;
        });

    Reading found = found(head(Change.ANY_ABSENCE, "late").orElse(ReadRequest.all(key)));
    assertThat(read().head()).isEqualTo("made");
    assertThat(found).isIn(read(), null);
  }

  /** A change that was decided on the absence before is not made on the one after it. */
  @Test
  public void aRecordThatWasMadeOnAnyAbsenceMakesTheNextAbsenceAnother() {
    assumeTrue(mine().makesOnAnyAbsence(), "this store makes records on known absences only");
    long absent = read().version();
    committed(head(Change.ANY_ABSENCE, "head"));
    committed(head(read().version(), null));

    refused(head(absent, "late"));
  }

  @Test
  public void aRecordMadeAnewIsNotTheOneBefore() {
    long first = committed(head(read().version(), "head"));
    committed(head(first, null));
    committed(head(read().version(), "head"));

    refused(head(first, "late"));

    assertThat(read().head()).isEqualTo("head");
  }

  // ------------------------------------------------------------- all or nothing

  @Test
  public void aChangeOnAnotherVersionChangesNothing() {
    long first = committed(head(read().version(), "1", entry("a", "1")));
    committed(head(first, "2", entry("a", "2")));
    Reading before = read();

    refused(
        new Change(
            key, first, "3", List.of("a"), List.of(entry("b", "3")), List.of(message("late"))));

    assertThat(read()).isEqualTo(before);
    assertThat(messages).doesNotContain("late");
  }

  @Test
  public void ofManyChangesOfOneVersionOneIsMade() throws Exception {
    inRounds(
        round -> {
          long version = read(others(), key).version();
          String head = round % 2 == 0 ? "made" : null;
          return () -> commit(others(), head(version, head)) instanceof CommitAnswer.Committed;
        });
  }

  /** A reading while another client makes the record may be of before that, with its version. */
  @Test
  public void ofManyThatFindNoRecordOneMakesIt() throws Exception {
    inRounds(
        round -> {
          Reading before = read();
          if (before.head() != null) {
            committed(head(before.version(), null));
          }
          return () -> {
            Reading found = read(others(), key);
            return found.head() == null
                && commit(others(), head(found.version(), "made"))
                    instanceof CommitAnswer.Committed;
          };
        });
  }

  /**
   * Runs one attempt in several threads at once, in many rounds, and expects one success in each.
   */
  private static void inRounds(IntFunction<Callable<Boolean>> ofRound) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Callable<Boolean> attempt = ofRound.apply(round);
        List<Future<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          answers.add(
              threads.submit(
                  () -> {
                    start.await();
                    return attempt.call();
                  }));
        }
        int made = 0;
        for (Future<Boolean> answer : answers) {
          made += answer.get() ? 1 : 0;
        }
        assertThat(made).as("changes of one version that were made, in round %d", round).isOne();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  public void aDeletionTakesTheEntriesWithIt() {
    committed(head(read().version(), "1", entry("a", "1")));
    committed(head(read().version(), null));
    committed(head(read().version(), "2", entry("b", "2")));

    assertThat(read().entries()).containsExactly(entry("b", "2"));
  }

  @Test
  public void conflictsWithoutNeedDoNotLastForEver() {
    String busy = prefix + "r/lock/busy";
    for (int i = 0; i < ROUNDS; i++) {
      long version = read(others(), busy).version();
      commit(others(), new Change(busy, version, "x", List.of(), List.of(), List.of()));
      commit(
          others(),
          new Change(busy, read(others(), busy).version(), null, List.of(), List.of(), List.of()));
      committed(head(read().version(), i % 2 == 0 ? "head" : null));
    }
  }

  // ------------------------------------------------------------- entries that are appended

  private static Entry bound(String name) {
    return new Entry(name, "1", true);
  }

  private Reading append(RecordStore store, Entry... put) {
    Appending appending =
        new Appending(key, List.of(put), List.of(message("came")), ReadRequest.all(key));
    return StoreProbe.answer(StoreProbe.get(store.append(appending)));
  }

  private static List<String> names(Reading reading) {
    return reading.entries().stream().map(Entry::name).toList();
  }

  private void assumeAppends() {
    assumeTrue(mine().appends(), "this store does not append");
  }

  @Test
  public void whatIsAppendedIsTheLastAndLeavesHeadAndVersion() {
    assumeAppends();
    long version = committed(head(read().version(), "head", entry("a", "1")));
    append(others(), bound("d"), bound("c"));
    Reading after = append(mine(), bound("b"));

    assertThat(names(after)).containsExactly("a", "d", "c", "b");
    assertThat(after.version()).isEqualTo(version);
    assertThat(after.head()).isEqualTo("head");
    assertThat(names(read(others(), key))).isEqualTo(names(after));
    await().atMost(Delays.patience()).until(() -> messages.contains("came"));
    committed(head(version, "next"));
  }

  /** Else a claim that was put and one that was appended could not be compared. */
  @Test
  public void placesAndMomentsAreCountedAlike() {
    committed(head(read().version(), "head"));
    Reading before = read();
    committed(head(before.version(), "next", bound("a"), bound("b")));
    Reading after = read();

    List<Long> places = after.entries().stream().map(Entry::place).toList();
    assumeTrue(places.stream().allMatch(place -> place > 0), "places are not known");
    assertThat(places)
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(place -> place > Entry.place(before.moment(), 0))
        .allMatch(place -> place < Entry.place(after.moment() + 1, 0));
  }

  /** Else a claim would have another place in its first answer than in later ones. */
  @Test
  public void aChangeIsAnsweredWithThePlacesThatReadingsShow() {
    long version = committed(head(read().version(), "head", bound("a")));
    CommitAnswer answer = commit(mine(), head(version, "next", bound("b"), bound("c")));
    List<Entry> after = read().entries();

    if (answer instanceof CommitAnswer.Committed done && !done.placed().isEmpty()) {
      assertThat(done.placed()).containsExactlyElementsOf(after.subList(1, after.size()));
    } else {
      assertThat(after).allMatch(entry -> entry.place() == 0);
    }
  }

  @Test
  public void allThatAppendAtOnceDo() throws Exception {
    assumeAppends();
    committed(head(read().version(), "head"));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Reading>> appended =
          IntStream.range(0, THREADS)
              .mapToObj(i -> threads.submit(() -> append(others(), bound("n" + i))))
              .toList();
      for (int i = 0; i < THREADS; i++) {
        assertThat(names(appended.get(i).get())).contains("n" + i);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(names(read())).containsExactlyInAnyOrder("n0", "n1", "n2", "n3");
  }

  @Test
  public void aCommitCountsAlsoTheEntriesThatItsClientHasNotSeen() {
    assumeAppends();
    long version = committed(head(read().version(), "head", entry("a", "1")));
    append(others(), bound("b"), bound("c"));

    CommitAnswer answer = commit(mine(), head(version, "next", entry("d", "1")));

    assertThat(answer).isInstanceOf(CommitAnswer.Committed.class);
    assertThat(((CommitAnswer.Committed) answer).entries()).isEqualTo(4);
  }

  @Test
  public void aRecordIsNotDeletedWithEntriesThatItsClientHasNotSeen() {
    assumeAppends();
    long version = committed(head(read().version(), "head"));
    append(others(), bound("b"));

    refused(head(version, null));

    assertThat(names(read())).containsExactly("b");
    committed(head(read().version(), null));
    assertThat(read().head()).isNull();
  }

  @Test
  public void nothingIsAppendedWhereThereIsNoRecord() {
    assumeAppends();
    assertThat(append(mine(), bound("a"))).isEqualTo(Reading.absent(Change.ANY_ABSENCE));
    assertThat(read().head()).isNull();
    assertThat(messages).doesNotContain("came");
  }

  @Test
  public void anEntryThatIsNoLongerBoundIsThereOnce() {
    assumeAppends();
    committed(head(read().version(), "head"));
    append(mine(), bound("a"), bound("b"));
    committed(head(read().version(), "head", entry("a", "2")));

    assertThat(read().entries().stream().filter(each -> each.name().equals("a")))
        .containsExactly(entry("a", "2"));
    assertThat(names(read())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  public void whatIsAppendedGoesWithItsClient() {
    assumeAppends();
    committed(head(read().version(), "head"));
    RecordStore brief = open("brief", text -> {});
    append(brief, bound("left"));
    assertThat(names(read())).containsExactly("left");

    brief.close();

    await().atMost(Delays.patience()).until(() -> names(read()).isEmpty());
  }

  /**
   * A client that reads only the first entries is not kept from changing a record by one of them.
   */
  @Test
  public void anEntryThatHasGoneWithItsClientHindersNoChange() {
    assumeAppends();
    committed(head(read().version(), "head"));
    RecordStore brief = open("brief", text -> {});
    append(brief, bound("left"));
    assertThat(names(read())).containsExactly("left");
    committed(head(read().version(), "other head"));
    brief.close();
    await().atMost(Delays.patience()).until(() -> names(read()).isEmpty());

    int attempts = 0;
    CommitAnswer answer = new CommitAnswer.Conflict(null);
    while (answer instanceof CommitAnswer.Conflict && attempts++ < 3) {
      Reading first = answer(others().read(List.of(new ReadRequest(key, 1, "b/")))).get(0);
      answer =
          commit(
              others(),
              new Change(key, first.version(), "changed", names(first), List.of(), List.of()));
    }
    assertThat(answer).isInstanceOf(CommitAnswer.Committed.class);
  }

  // ------------------------------------------------------------- a client without a session

  private final String presence = prefix + "m/mine";

  private void assumeProvesAbsence() {
    assumeTrue(mine().provesAbsence(), "this store does not prove absence");
  }

  private void present(RecordStore store, @Nullable String head) {
    present(store, head, head != null);
  }

  private void present(RecordStore store, @Nullable String head, boolean isBound) {
    long version = read(store, presence).version();
    Change change =
        new Change(presence, version, head, List.of(), List.of(), List.of(), isBound, null, null);
    assertThat(commit(store, change)).isInstanceOf(CommitAnswer.Committed.class);
  }

  @Test
  public void aChangeIsMadeOnlyWhileTheRecordIsThereThatItDemands() {
    assumeProvesAbsence();
    present(mine(), "here");
    long version = committed(head(read().version(), "1").demanding(presence));
    present(mine(), "still here");
    version = committed(head(version, "2", entry("a", "1")).demanding(presence));
    present(mine(), null);
    Reading before = read();

    Change late = new Change(key, version, "3", List.of("a"), List.of(), List.of(message("late")));
    assertThat(commit(mine(), late.demanding(presence))).isEqualTo(new CommitAnswer.Absent());
    assertThat(commit(mine(), head(version, null).demanding(presence)))
        .isEqualTo(new CommitAnswer.Absent());

    assertThat(read()).isEqualTo(before);
    assertThat(messages).doesNotContain("late");
    present(mine(), "back");
    committed(head(version, "3").demanding(presence));
  }

  @Test
  public void nothingIsAppendedByAClientWhoseRecordIsNotThere() {
    assumeProvesAbsence();
    assumeAppends();
    committed(head(read().version(), "head"));
    Appending appending =
        new Appending(key, List.of(bound("a")), List.of(), ReadRequest.all(key), presence);

    assertThat(StoreProbe.answer(StoreProbe.get(mine().append(appending))))
        .isEqualTo(Reading.absent(Change.ANY_ABSENCE));
    assertThat(names(read())).isEmpty();

    present(mine(), "here");
    StoreProbe.answer(StoreProbe.get(mine().append(appending)));
    assertThat(names(read())).containsExactly("a");
  }

  @Test
  public void aBoundRecordGoesWithItsClient() {
    assumeProvesAbsence();
    RecordStore brief = open("brief", text -> {});
    present(brief, "here");
    assertThat(read(mine(), presence).head()).isEqualTo("here");

    brief.close();

    await().atMost(Delays.patience()).until(() -> read(mine(), presence).head() == null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  public void whetherARecordIsBoundIsAsItWasWrittenLast(boolean isBound) {
    assumeProvesAbsence();
    RecordStore brief = open("brief", text -> {});
    present(brief, "1", isBound);
    present(brief, "2", !isBound);
    present(brief, "3", isBound);
    present(brief, "4", isBound);
    assertThat(read(mine(), presence).head()).isEqualTo("4");
    long closed = read(mine(), presence).version();

    brief.close();

    if (isBound) {
      await().atMost(Delays.patience()).until(() -> read(mine(), presence).head() == null);
    } else {
      committed(head(read().version(), "something after the end of the session"));
      assertThat(read(mine(), presence).version()).isEqualTo(closed);
    }
  }

  @Test
  public void whoReadsARecordToWatchItIsNotifiedOfItsNextChange() {
    assumeTrue(mine().watches(), "this store does not notify of changes");
    for (int i = 0; i < 3; i++) {
      changed.clear();
      answer(mine().read(List.of(ReadRequest.all(key).watched())));
      CommitAnswer answer =
          commit(others(), head(read(others(), key).version(), i == 1 ? null : "head"));

      assertThat(answer).isInstanceOf(CommitAnswer.Committed.class);
      await().atMost(Delays.patience()).until(() -> changed.contains(key));
    }
  }

  // ------------------------------------------------------------- reads are current

  @Test
  public void aReadingShowsWhatWasAnsweredBefore() {
    for (int i = 0; i < ROUNDS; i++) {
      RecordStore writer = i % 2 == 0 ? mine() : others();
      RecordStore reader = i % 2 == 0 ? others() : mine();
      long expected = read(writer, key).version();
      CommitAnswer answer = commit(writer, head(expected, i % 5 == 4 ? null : "head " + i));

      assertThat(answer).isInstanceOf(CommitAnswer.Committed.class);
      assertThat(read(reader, key).head()).isEqualTo(i % 5 == 4 ? null : "head " + i);
    }
  }

  // ------------------------------------------------------------- order, and what is kept

  @Test
  public void entriesAreInTheOrderInWhichTheyWerePutFirst() {
    committed(head(read().version(), "1", entry("c", "1")));
    committed(head(read().version(), "1", entry("a", "1")));
    committed(head(read().version(), "2", entry("b", "2"), entry("c", "2")));

    assertThat(read().entries()).containsExactly(entry("c", "2"), entry("a", "1"), entry("b", "2"));
  }

  @Test
  public void anEntryThatIsRemovedAndPutAgainIsTheLast() {
    committed(head(read().version(), "1", entry("a", "1"), entry("b", "1")));
    committed(
        new Change(
            key, read().version(), "2", List.of("a", "none"), List.of(entry("c", "2")), List.of()));
    committed(head(read().version(), "3", entry("a", "3")));

    assertThat(read().entries()).containsExactly(entry("b", "1"), entry("c", "2"), entry("a", "3"));
  }

  @Test
  public void aHundredEntriesKeepTheirOrder() {
    Entry[] all =
        IntStream.range(0, 100)
            .mapToObj(i -> entry("n" + i * 37 % 100, "" + i))
            .toArray(Entry[]::new);
    for (Entry each : all) {
      committed(head(read().version(), "head", each));
    }

    assertThat(read().entries()).containsExactly(all);
  }

  @Test
  public void anyTextIsKept() {
    String text = "\u00e4\u20ac\ud83d\ude00 '\"\\%{}\n\t;--";
    String longText = "x".repeat(LONG_TEXT);
    committed(head(read().version(), text, entry("a", ""), entry("b/1", longText)));

    assertThat(read().head()).isEqualTo(text);
    assertThat(read().entries()).containsExactly(entry("a", ""), entry("b/1", longText));
  }

  @Test
  public void keysAreTakenAsTheyAre() {
    List<String> keys =
        Stream.of("a", "A", "a/", "a/b", "a%2Fb", "a+b", "a*b", "a-b_c.d", "..", "x".repeat(1_900))
            .map(name -> prefix + name)
            .toList();
    for (String each : keys) {
      long version = read(mine(), each).version();
      committed(new Change(each, version, each, List.of(), List.of(), List.of()));
    }

    assertThat(keys).allSatisfy(each -> assertThat(read(mine(), each).head()).isEqualTo(each));
    assertThat(list(prefix)).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  public void atLeastTheFirstEntriesAreReadAndThoseAskedForByName() {
    committed(
        head(
            read().version(),
            "head",
            entry("a/1", "1"),
            entry("b/1", "2"),
            entry("a/2", "3"),
            entry("b/2", "4")));

    Reading page = answer(mine().read(List.of(new ReadRequest(key, 1, "b/")))).get(0);

    assertThat(page.leading()).isPositive();
    assertThat(page.entries().subList(0, page.leading()))
        .isEqualTo(read().entries().subList(0, page.leading()));
    assertThat(page.entries()).extracting(Entry::name).contains("a/1", "b/1", "b/2");
    assertThat(page.entries()).doesNotHaveDuplicates();
    assertThat(page.isComplete()).isEqualTo(page.entries().size() == 4);
  }

  // ------------------------------------------------------------- lists

  private List<String> list(String keys) {
    return StoreProbe.answer(StoreProbe.get(mine().list(keys)));
  }

  @Test
  public void theRecordsThatAreThereAreListed() {
    String gone = prefix + "r/lock/gone";
    String other = prefix + "r/lox/other";
    for (String each : List.of(key, gone, other)) {
      committed(
          new Change(each, read(mine(), each).version(), "h", List.of(), List.of(), List.of()));
    }
    committed(
        new Change(gone, read(mine(), gone).version(), null, List.of(), List.of(), List.of()));

    assertThat(list(prefix)).containsExactlyInAnyOrder(key, other);
    assertThat(list(prefix + "r/lock/")).containsExactly(key);
  }

  @Test
  public void requestsOfOneListAreIndependentAndAnsweredInOrder() {
    String second = prefix + "second";
    String third = prefix + "third";
    committed(head(read().version(), "1"));
    long version = read(mine(), second).version();
    long thirds = read(mine(), third).version();

    List<CommitAnswer> answers =
        answer(
            mine()
                .commit(
                    List.of(
                        new Change(second, version, "2", List.of(), List.of(), List.of()),
                        head(read().version() - 1, "late"),
                        new Change(third, thirds, "3", List.of(), List.of(), List.of()))));
    List<Reading> readings =
        answer(mine().read(Stream.of(third, key, second).map(ReadRequest::all).toList()));

    assertThat(answers.get(0)).isInstanceOf(CommitAnswer.Committed.class);
    assertThat(answers.get(1)).isInstanceOf(CommitAnswer.Conflict.class);
    assertThat(answers.get(2)).isInstanceOf(CommitAnswer.Committed.class);
    assertThat(readings).extracting(Reading::head).containsExactly("3", "1", "2");
  }

  // ------------------------------------------------------------- messages and time

  private static Message message(String text) {
    return new Message("mine", text);
  }

  @Test
  public void aMessageComesWhenItsChangeIsMadeAndToItsClientOnly() {
    assumeTrue(mine().traits().pushes(), "this store passes no messages on");
    CompletableFuture<@Nullable String> found = new CompletableFuture<>();
    RecordStore curious = open("curious", text -> found.complete(read(others(), key).head()));

    commit(
        curious,
        new Change(
            key,
            read(curious, key).version(),
            "new",
            List.of(),
            List.of(),
            List.of(new Message("curious", "to itself"), message("hello \u00e4"))));

    await("the first message, since traits().pushes() is true")
        .atMost(Delays.patience())
        .until(found::isDone);
    assertThat(StoreProbe.get(found)).isEqualTo("new");
    await().atMost(Delays.patience()).until(() -> messages.contains("hello \u00e4"));
    assertThat(messages).doesNotContain("to itself");
  }

  @Test
  public void aMessageToNobodyIsNoFailure() {
    committed(
        new Change(
            key,
            read().version(),
            "head",
            List.of(),
            List.of(),
            List.of(new Message("nobody", "hello"))));
  }

  @Test
  public void theClockIsPositiveSharedAndDoesNotGoBack() {
    assumeTrue(mine().clock().isShared(), "this store has no clock");
    long last = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long now = (i % 2 == 0 ? mine() : others()).clock().micros();
      assertThat(now).isPositive().isGreaterThanOrEqualTo(last);
      last = now;
    }
  }

  @Test
  public void closingThrowsNothing() {
    assertThatCode(() -> open("brief", text -> {}).close()).doesNotThrowAnyException();
  }
}

package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.LatchDeletedException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.Registration;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Registers in the engine: requests that gather, doubts, and watching. */
class RegisterTest {

  private static final CellId VALUE = new CellId(CellKind.VALUE, "a");

  private static Outcome<CellUpdated> done(CellUpdate update) {
    return Outcome.answered(
        new CellUpdated(
            IntStream.range(0, update.changes().size())
                .mapToObj(i -> new CellResult(Verdict.DONE, 1, i, i + 1))
                .toList()));
  }

  private static List<Outcome<CellState>> found(List<CellRead> batch, CellState state) {
    return batch.stream().map(read -> Outcome.answered(state)).toList();
  }

  private static CellState present(long version, long number) {
    return new CellState.Present(version, 1, CellValue.of(number), -1);
  }

  private static Throwable failure(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return future.handle((value, failure) -> failure).join();
  }

  // ------------------------------------------------------------- changes

  @Test
  void changesThatComeWhileOneIsUnderWayGoOutTogether() {
    try (Rig rig = Rig.silent()) {
      DistributedCounter counter = rig.keeper.counter("a");
      List<CompletableFuture<Long>> all = new ArrayList<>();
      for (int i = 0; i < Store.MAX_CHANGES + 5; i++) {
        all.add(counter.addAndGetAsync(1).toCompletableFuture());
      }

      var first = rig.store.updates.next();
      assertThat(first.request.changes()).hasSize(1);
      assertThat(rig.store.updates.waiting()).isZero();
      first.reply(done(first.request));

      var second = rig.store.updates.next();
      assertThat(second.request.changes()).hasSize(Store.MAX_CHANGES);
      assertThat(second.request.batch()).isGreaterThan(first.request.batch());
      second.reply(done(second.request));

      var third = rig.store.updates.next();
      assertThat(third.request.changes()).hasSize(4);
      rig.settle();
      assertThat(all.get(0)).isCompletedWithValue(1L);
      assertThat(all.get(Store.MAX_CHANGES)).isCompletedWithValue((long) Store.MAX_CHANGES);
      assertThat(all.get(Store.MAX_CHANGES + 1)).isNotDone();
    }
  }

  @Test
  void aDoubtfulUpdateIsAskedAgainAsItWas() {
    try (Rig rig = Rig.silent()) {
      CompletableFuture<Long> one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var first = rig.store.updates.next();
      CompletableFuture<Long> two = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      first.reply(ScriptedStore.silence());
      assertThat(rig.store.updates.waiting()).isZero();

      rig.pass(Duration.ofSeconds(1));
      var again = rig.store.updates.next();
      assertThat(again.request).isEqualTo(first.request);
      again.reply(done(again.request));
      var next = rig.store.updates.next();
      next.reply(done(next.request));
      rig.settle();

      assertThat(one).isCompletedWithValue(1L);
      assertThat(two).isCompletedWithValue(1L);
    }
  }

  @Test
  void afterAnInterruptionADoubtfulUpdateIsAskedAgainAtOnce() {
    try (Rig rig = Rig.silent()) {
      rig.keeper.counter("a").addAndGetAsync(1);
      for (int i = 0; i < 5; i++) {
        rig.store.updates.next().reply(ScriptedStore.silence());
        rig.pass(Duration.ofSeconds(2));
      }
      rig.store.updates.next().reply(ScriptedStore.silence());
      assertThat(rig.store.updates.waiting()).isZero();

      rig.store.notifications.reconnected();
      rig.pass(Duration.ofMillis(2));

      assertThat(rig.store.updates.waiting()).isEqualTo(1);
    }
  }

  @Test
  void patienceEndsForAllWhoWait() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(5)))) {
      rig.store.updates.always(update -> ScriptedStore.silence());
      rig.store.reads.always(ScriptedStore::silence);
      var one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var two = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var latch = rig.keeper.countDownLatch("b").awaitAsync().toCompletableFuture();
      var read = rig.keeper.counter("c").getAsync().toCompletableFuture();
      rig.pass(Duration.ofSeconds(4));
      assertThat(one).isNotDone();

      rig.pass(Duration.ofSeconds(4));

      for (CompletableFuture<?> future : List.of(one, two, latch, read)) {
        assertThat(failure(future)).isInstanceOf(StoreUnavailableException.class);
      }
    }
  }

  @Test
  void anUpdateIsGivenUpBeforeTheStoreMayHaveForgottenIt() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofDays(1)))) {
      rig.store.updates.always(update -> ScriptedStore.silence());
      var one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      rig.pass(Duration.ofMinutes(29));
      assertThat(one).isNotDone();

      rig.pass(Duration.ofMinutes(2));

      assertThat(failure(one)).isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  void anAnswerThatComesTooLateIsNobodysBusiness() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(1)))) {
      var one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var first = rig.store.updates.next();
      first.reply(ScriptedStore.silence());
      rig.pass(Duration.ofSeconds(1));
      var again = rig.store.updates.next();
      rig.pass(Duration.ofSeconds(2));
      again.reply(ScriptedStore.silence());
      rig.settle();
      assertThat(failure(one)).isInstanceOf(StoreUnavailableException.class);

      var two = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var next = rig.store.updates.next();
      assertThat(next.request.batch()).isGreaterThan(first.request.batch());
      next.reply(done(next.request));
      rig.settle();
      assertThat(two).isCompletedWithValue(1L);
    }
  }

  @Test
  void anAnswerWithTooFewResultsIsADoubt() {
    try (Rig rig = Rig.silent()) {
      var one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var first = rig.store.updates.next();
      first.reply(Outcome.answered(new CellUpdated(List.of())));
      rig.pass(Duration.ofSeconds(1));
      var again = rig.store.updates.next();
      assertThat(again.request).isEqualTo(first.request);
      again.reply(done(again.request));
      rig.settle();

      assertThat(one).isCompletedWithValue(1L);
    }
  }

  @Test
  void aRefusalConcernsItsUpdateOnly() {
    try (Rig rig = Rig.silent()) {
      var one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      var two = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      rig.store.updates.next().reply(Outcome.refused(StoreProblem.FULL, "no room"));
      var second = rig.store.updates.next();
      second.reply(done(second.request));
      rig.settle();

      assertThat(failure(one))
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.FULL));
      assertThat(two).isCompletedWithValue(1L);
    }
  }

  @Test
  void aRefusalOfWhatWasSentBeforeWithoutAnAnswerLeavesTheDoubt() {
    try (Rig rig = Rig.silent()) {
      CompletableFuture<Long> one = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();
      rig.store.updates.next().reply(ScriptedStore.silence());
      rig.pass(Duration.ofSeconds(1));
      rig.store.updates.next().reply(Outcome.refused(StoreProblem.DENIED, "a wrong password"));
      rig.settle();

      assertThat(failure(one))
          .isInstanceOf(StoreUnavailableException.class)
          .hasRootCauseInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("a wrong password");
    }
  }

  @Test
  void anUpdateIsRememberedForTwiceThePatience() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofMinutes(2)))) {
      rig.keeper.counter("a").addAndGetAsync(1);
      assertThat(rig.store.updates.next().request.rememberMillis()).isEqualTo(240_000);
    }
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(2)))) {
      rig.keeper.counter("a").addAndGetAsync(1);
      assertThat(rig.store.updates.next().request.rememberMillis()).isEqualTo(60_000);
    }
  }

  // ------------------------------------------------------------- reads

  @Test
  void aQuestionIsAnsweredByAReadThatWasSentAfterIt() {
    try (Rig rig = Rig.silent()) {
      DistributedCounter counter = rig.keeper.counter("a");
      var one = counter.getAsync().toCompletableFuture();
      var first = rig.store.reads.next();
      var two = counter.getAsync().toCompletableFuture();
      var three = counter.getAsync().toCompletableFuture();
      assertThat(rig.store.reads.waiting()).isZero();

      first.reply(found(first.request, present(1, 7)));
      rig.settle();
      assertThat(one).isCompletedWithValue(7L);
      assertThat(two).isNotDone();
      var second = rig.store.reads.next();
      assertThat(second.request.get(0).knownVersion()).isEqualTo(1);
      second.reply(found(second.request, new CellState.Unchanged(1, -1)));
      rig.settle();

      assertThat(two).isCompletedWithValue(7L);
      assertThat(three).isCompletedWithValue(7L);
    }
  }

  // ------------------------------------------------------------- watching

  @Test
  void allThatIsWatchedIsReadTogetherOnceASecond() {
    try (Rig rig = Rig.obliging()) {
      rig.store.reads.always(batch -> found(batch, present(1, 1)));
      List<CompletableFuture<Void>> waiting = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        waiting.add(rig.keeper.countDownLatch("latch" + i).awaitAsync().toCompletableFuture());
        rig.pass(Duration.ofMillis(7));
      }
      rig.pass(Duration.ofSeconds(2));
      int before = rig.store.reads.count();

      rig.pass(Duration.ofSeconds(10));

      assertThat(rig.store.reads.count() - before).isBetween(9, 11);
      rig.store.reads.always(batch -> found(batch, present(2, 0)));
      rig.pass(Duration.ofMillis(1_001));
      assertThat(waiting).allMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void aNotificationBringsAReadAndOneDuringAReadAnotherOne() {
    try (Rig rig = Rig.silent()) {
      List<String> heard = new ArrayList<>();
      rig.keeper
          .sharedValue("a")
          .onChange(value -> heard.add(value.map(VersionedValue::text).orElse("-")));
      var first = rig.store.reads.next();
      assertThat(first.request.get(0).watch()).isTrue();
      rig.store.notifications.cellChanged(VALUE);
      rig.store.notifications.cellChanged(new CellId(CellKind.VALUE, "other"));
      assertThat(rig.store.reads.waiting()).isZero();

      first.reply(found(first.request, present(1, 1)));
      var second = rig.store.reads.next();
      second.reply(found(second.request, present(2, 2)));
      assertThat(rig.store.reads.waiting()).isZero();
      rig.store.notifications.cellChanged(VALUE);
      var third = rig.store.reads.next();
      third.reply(found(third.request, new CellState.Unchanged(2, -1)));
      rig.settle();

      assertThat(heard).last().isEqualTo("2");
    }
  }

  @Test
  void aListenerOutlivesThePatience() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(1)))) {
      rig.store.reads.always(ScriptedStore::silence);
      List<String> heard = new ArrayList<>();
      rig.keeper
          .sharedValue("a")
          .onChange(value -> heard.add(value.map(VersionedValue::text).orElse("-")));
      rig.pass(Duration.ofSeconds(10));

      rig.store.reads.always(batch -> found(batch, present(1, 5)));
      rig.pass(Duration.ofSeconds(3));

      assertThat(heard).containsExactly("5");
    }
  }

  @Test
  void theLastWatcherThatLeavesTellsTheStoreAndThenNothingIsAsked() {
    try (Rig rig = Rig.obliging()) {
      rig.store.reads.always(batch -> found(batch, present(1, 5)));
      Registration one = rig.keeper.sharedValue("a").onChange(value -> {});
      Registration two = rig.keeper.sharedValue("a").onChange(value -> {});
      rig.settle();
      one.close();
      int before = rig.store.reads.count();
      rig.store.reads.manual();

      two.close();
      var last = rig.store.reads.next();
      assertThat(last.request).containsExactly(new CellRead(VALUE, false, 1));
      last.reply(found(last.request, new CellState.Unchanged(1, -1)));
      rig.pass(Duration.ofSeconds(20));

      assertThat(rig.store.reads.count()).isEqualTo(before + 1);
    }
  }

  @Test
  void aLatchIsLookedAtWhenItsTimeIsOver() {
    try (Rig rig = Rig.silent()) {
      var waiting = rig.keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      var first = rig.store.reads.next();
      CellState closed = new CellState.Present(1, 1, CellValue.of(1), 100_000);
      first.reply(found(first.request, closed));
      var watching = rig.store.reads.next();
      watching.reply(found(watching.request, closed));

      rig.pass(Duration.ofMillis(115));
      var second = rig.store.reads.next();
      second.reply(found(second.request, new CellState.Absent()));
      rig.settle();

      assertThat(failure(waiting)).isInstanceOf(LatchDeletedException.class);
    }
  }

  @Test
  void aLatchOfTheSameNameThatBeganLaterIsAnotherOne() {
    try (Rig rig = Rig.silent()) {
      var waiting = rig.keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      var first = rig.store.reads.next();
      CellState closed = new CellState.Present(5, 5, CellValue.of(1), -1);
      first.reply(found(first.request, closed));
      var watching = rig.store.reads.next();
      watching.reply(found(watching.request, closed));
      rig.store.notifications.cellChanged(new CellId(CellKind.LATCH, "a"));
      var second = rig.store.reads.next();
      second.reply(found(second.request, new CellState.Present(9, 8, CellValue.of(0), -1)));
      rig.settle();

      assertThat(failure(waiting)).isInstanceOf(LatchDeletedException.class);
    }
  }

  @Test
  void anOpenLatchIsReadOnceAndNotWatched() {
    try (Rig rig = Rig.silent()) {
      var waiting = rig.keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      var only = rig.store.reads.next();
      assertThat(only.request.get(0).watch()).isFalse();
      only.reply(found(only.request, present(3, 0)));
      rig.settle();

      assertThat(waiting).isCompleted();
      assertThat(rig.store.log).hasSize(1);
    }
  }

  @Test
  void closingEndsAllWaitsAndTheWatching() {
    try (Rig rig = Rig.obliging()) {
      List<CellRead> read = new ArrayList<>();
      rig.store.reads.always(
          batch -> {
            read.addAll(batch);
            return found(batch, present(1, 1));
          });
      var latch = rig.keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      rig.store.updates.manual();
      var change = rig.keeper.counter("a").addAndGetAsync(1).toCompletableFuture();

      rig.keeper.close();
      rig.settle();

      assertThat(failure(latch)).isInstanceOf(LockkeeperClosedException.class);
      assertThat(failure(change)).isInstanceOf(LockkeeperClosedException.class);
      assertThat(read).endsWith(new CellRead(new CellId(CellKind.LATCH, "a"), false, 1));
    }
  }

  @Test
  void closingWhileAReadIsUnansweredStillEndsTheWatching() {
    try (Rig rig = Rig.silent()) {
      var waiting = rig.keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      var look = rig.store.reads.next();
      look.reply(found(look.request, present(1, 1)));
      var first = rig.store.reads.next();
      assertThat(first.request.get(0).watch()).isTrue();
      Actor actor = rig.actor("closer");
      var closed = actor.begin(() -> rig.keeper.close());
      await()
          .atMost(Deadlines.GENEROUS)
          .until(
              () -> {
                rig.settle();
                return waiting.isDone();
              });
      first.reply(ScriptedStore.silence(first.request));

      var last = rig.store.reads.next();
      assertThat(last.request.get(0).watch()).isFalse();
      last.reply(found(last.request, new CellState.Absent()));

      Actor.get(closed);
    }
  }
}

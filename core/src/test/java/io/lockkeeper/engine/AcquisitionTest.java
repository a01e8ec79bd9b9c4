package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an acquisition asks of the store, and what comes of each answer. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class AcquisitionTest {

  private static final Outcome<WithdrawAnswer> LEFT = Outcome.answered(WithdrawAnswer.LEFT);

  private static final AcquireOptions ONE_SECOND =
      AcquireOptions.defaults().withWait(Duration.ofSeconds(1));
  private static final AcquireOptions ONCE = AcquireOptions.defaults().withWait(Duration.ZERO);

  // ------------------------------------------------------------- what it costs

  @Test
  void aLockNobodyElseWantsCostsOneClaimAndOneRelease() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void unlockDoesNotWaitForTheStore() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();

      assertThat(rig.store.releases.waiting()).isEqualTo(1);
      assertThat(lock.isHeldByCurrentThread()).isFalse();
    }
  }

  @Test
  void reentryAsksNothingOfTheStoreAndKeepsTheToken() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      long token = lock.token();
      rig.keeper.fairLock("a").lock(); // another object, of another kind
      rig.keeper.lock("a").lock(AcquireOptions.defaults().withFixedLease(Duration.ofSeconds(1)));
      assertThat(lock.tryLock()).isTrue();

      assertThat(lock.getHoldCount()).isEqualTo(4);
      assertThat(lock.token()).isEqualTo(token);
      for (int i = 0; i < 4; i++) {
        assertThat(rig.store.log).containsExactly("claim 1");
        lock.unlock();
      }
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aLaterAcquisitionIsSentAfterTheReleaseBeforeIt() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      CompletionStage<Lease> next = lock.acquireAsync();

      assertThat(rig.got(next).isValid()).isTrue();
      assertThat(rig.store.log).containsExactly("claim 1", "release 1", "claim 2");
    }
  }

  // ------------------------------------------------------------- unknown outcomes

  @Test
  void aClaimWithoutAnAnswerIsSentAgainWithItsNumber() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.store.claims.next().reply(ScriptedStore.silence());
      rig.pass(Duration.ofSeconds(1));
      var again = rig.store.claims.next();
      again.reply(ScriptedStore.granted(rig.store.grant(again.request)));

      assertThat(rig.got(request).isValid()).isTrue();
      assertThat(rig.store.log).startsWith("claim 1", "claim 1");
    }
  }

  @Test
  void aStoreThatThrowsIsAStoreThatDoesNotAnswer() {
    try (Rig rig = Rig.silent()) {
      rig.store.claims.always(
          request -> {
            throw new IllegalStateException("broken");
          });
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      assertThat(rig.isWaiting(request)).isTrue();
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(1));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void anErrorInAStoreIsAStoreThatDoesNotAnswer() {
    try (Rig rig = Rig.silent()) {
      rig.store.claims.always(
          request -> {
            throw new NoClassDefFoundError("broken");
          });
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      assertThat(rig.isWaiting(request)).isTrue();
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(1));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void aWaitEndsWhenTheStoreHasNotAnsweredForTheStoreTimeout() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(7)))) {
      rig.store.claims.always(request -> ScriptedStore.silence());
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.pass(Duration.ofMillis(6_900));
      assertThat(rig.isWaiting(request)).isTrue();
      rig.pass(Duration.ofSeconds(2));

      assertThat(rig.failed(request))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("'a': the store does not answer (scripted store): no answer")
          .hasRootCauseMessage("no answer");
      assertThat(rig.store.log).endsWith("withdraw 1");
    }
  }

  @Test
  void aQueuedRequestEndsWhenTheStoreHasNotAnsweredForTheStoreTimeout() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(7)))) {
      rig.store.claims.always(request -> ScriptedStore.queued(1));
      rig.store.polls.always(ScriptedStore::silence);
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.pass(Duration.ofSeconds(10));

      assertThat(rig.failed(request)).isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  void aQueuedRequestThatTheStoreRefusesToLookAtEndsAfterTheStoreTimeoutWithTheReason() {
    ScriptedStore store = ScriptedStore.obliging();
    store.claims.always(claim -> ScriptedStore.queued(7));
    store.polls.always(
        batch ->
            batch.stream()
                .<Outcome<PollAnswer>>map(
                    poll -> Outcome.refused(StoreProblem.DENIED, "the password is wrong"))
                .toList());
    try (Rig rig = Rig.on(store)) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.pass(Duration.ofSeconds(20));
      assertThat(request.toCompletableFuture()).isNotDone();
      rig.pass(Duration.ofSeconds(15));

      assertThat(rig.failed(request))
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("the password is wrong");
    }
  }

  @Test
  void anAnswerEndsTheSilence() {
    try (Rig rig = Rig.silent(builder -> builder.storeTimeout(Duration.ofSeconds(7)))) {
      rig.store.claims.always(request -> ScriptedStore.silence());
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.pass(Duration.ofSeconds(6));
      rig.store.claims.always(request2 -> ScriptedStore.queued(1));
      rig.pass(Duration.ofSeconds(2));
      rig.store.polls.always(ScriptedStore::silence);
      rig.pass(Duration.ofSeconds(6));

      assertThat(rig.isWaiting(request)).isTrue();
    }
  }

  @Test
  void whoAsksInACallbackInsideACallIsNotHeldUp() {
    try (Rig rig = Rig.obliging(builder -> builder.executor(Runnable::run))) {
      rig.store.inspections.always(name -> Outcome.answered(new Inspection(null, List.of())));
      DistributedLock lock = rig.keeper.lock("a");
      CompletionStage<Boolean> locked =
          lock.acquireAsync()
              .thenApply(
                  lease -> {
                    lease.release();
                    return lock.isLocked();
                  });

      assertThat(Actor.get(locked.toCompletableFuture())).isFalse();
    }
  }

  @Test
  void theSilenceOfAnotherTimeDoesNotCount() {
    try (Rig rig = Rig.obliging()) {
      DistributedSemaphore semaphore = rig.keeper.semaphore("a", 3);
      AcquireOptions hours = AcquireOptions.defaults().withFixedLease(Duration.ofHours(3));
      CompletionStage<PermitLease> first = semaphore.acquireAsync(1, hours);
      rig.settle();
      PermitLease kept = first.toCompletableFuture().join();
      rig.store.claims.always(request -> ScriptedStore.silence());
      rig.store.withdrawals.always(request -> ScriptedStore.silence());
      AcquireOptions second = AcquireOptions.defaults().withWait(Duration.ofSeconds(1));
      CompletionStage<PermitLease> early = semaphore.acquireAsync(1, second);
      rig.pass(Duration.ofHours(1));
      assertThat(early).isCompletedExceptionally();

      CompletionStage<PermitLease> later = semaphore.acquireAsync();
      rig.settle();
      assertThat(later).as("after one question without an answer").isNotDone();
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(1));

      assertThat(later).isCompleted();
      assertThat(kept.isValid()).isTrue();
    }
  }

  @Test
  void aReleaseWithoutAnAnswerIsSentAgainUntilAnswered() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.always(request -> ScriptedStore.silence());
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      rig.pass(Duration.ofSeconds(5));
      assertThat(rig.store.releases.count()).isGreaterThan(3);
      rig.store.releases.always(ScriptedStore::released);
      rig.pass(Duration.ofSeconds(5));
      int sent = rig.store.releases.count();
      rig.pass(Duration.ofMinutes(5));

      assertThat(rig.store.releases.count()).as("no more").isEqualTo(sent);
    }
  }

  @Test
  void aReleaseIsGivenUpOnceTheGrantMustHaveExpired() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.always(request -> ScriptedStore.silence());
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.unlock();
      rig.pass(Rig.LEASE.plusSeconds(3));
      int sent = rig.store.releases.count();
      rig.pass(Duration.ofMinutes(5));

      assertThat(rig.store.releases.count()).isEqualTo(sent);
      assertThat(rig.scheduler.pending()).isZero();
    }
  }

  @Test
  void aRefusalEndsTheRequestWithItsReason() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      rig.store
          .claims
          .next()
          .reply(Outcome.refused(StoreProblem.NOT_REPLICATED, "1 of 2 replicas"));

      assertThat(rig.failed(request))
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              refusal -> {
                assertThat(refusal.problem()).isEqualTo(StoreProblem.NOT_REPLICATED);
                assertThat(refusal).hasMessage("'a': 1 of 2 replicas");
              });
    }
  }

  @Test
  void whatABlockedThreadGetsThrownShowsWhereItWaited() {
    try (Rig rig = Rig.silent()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor actor = rig.actor("t");
      CompletableFuture<Void> begun = actor.begin(() -> lock.lock());
      rig.store.claims.next().reply(Outcome.refused(StoreProblem.DENIED, "no"));

      Throwable failure = Actor.end(begun);
      assertThat(failure).isInstanceOf(StoreRefusedException.class);
      assertThat(failure.getStackTrace())
          .anyMatch(frame -> frame.getClassName().startsWith("io.lockkeeper.engine.view."));
    }
  }

  // ------------------------------------------------------------- asking once

  @Test
  void tryLockOnALockThatIsTakenLeavesNothingBehind() {
    try (Rig rig = Rig.obliging()) {
      rig.store.claims.always(request -> Outcome.answered(new ClaimAnswer.Busy()));

      assertThat(rig.keeper.lock("a").tryLock()).isFalse();
      assertThat(rig.store.log).containsExactly("claim 1");
    }
  }

  @Test
  void askingOnceDoesNotAskToBeQueued() {
    try (Rig rig = Rig.silent()) {
      rig.keeper.lock("a").acquireAsync(ONCE);
      rig.keeper.fairLock("b").acquireAsync(ONCE);

      assertThat(rig.store.claims.next().request.queue()).isFalse();
      assertThat(rig.store.claims.next().request.queue()).isFalse();
    }
  }

  @Test
  void tryLockWithoutAnAnswerThrowsAndTakesTheClaimBack() {
    try (Rig rig = Rig.obliging()) {
      rig.store.claims.always(request -> ScriptedStore.silence());

      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> rig.keeper.lock("a").tryLock());
      assertThat(rig.store.log).containsExactly("claim 1", "withdraw 1");
    }
  }

  @Test
  void tryLockWhileAnotherThreadOfThisClientHoldsItAsksNothing() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      rig.actor("holder").run(lock::lock);

      assertThat(lock.tryLock()).isFalse();
      assertThat(rig.store.log).containsExactly("claim 1");
    }
  }

  @Test
  void anAsynchronousRequestThatAsksOnceWaitsForThatOneAnswer() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync(ONCE);
      rig.pass(Duration.ofMillis(5)); // a round trip
      assertThat(rig.isWaiting(request)).isTrue();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void anAsynchronousRequestThatAsksOnceAndIsToldNoTimesOut() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync(ONCE);
      rig.store.claims.next().reply(Outcome.answered(new ClaimAnswer.Busy()));

      assertThat(rig.failed(request)).isInstanceOf(AcquireTimeoutException.class);
    }
  }

  @Test
  void aThreadThatAsksOnceParksUntilTheAnswer() {
    try (Rig rig = Rig.silent()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor actor = rig.actor("t");
      CompletableFuture<Boolean> begun = actor.begin(() -> lock.tryLock(0, TimeUnit.SECONDS));
      var call = rig.store.claims.next();
      await()
          .atMost(Deadlines.GENEROUS)
          .until(() -> actor.isParked() && actor.thread().getState() == Thread.State.WAITING);
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));

      assertThat(Actor.get(begun)).isTrue();
    }
  }

  // ------------------------------------------------------------- limits

  @Test
  void aLimitThatPassesEndsTheRequestAndTakesTheClaimBack() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync(ONE_SECOND);
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.pass(Duration.ofMillis(999));
      assertThat(rig.isWaiting(request)).isTrue();
      rig.pass(Duration.ofMillis(2));
      assertThat(rig.isWaiting(request)).as("while its claim may get the lock").isTrue();
      rig.store.withdrawals.next().reply(LEFT);

      assertThat(rig.failed(request))
          .isInstanceOf(AcquireTimeoutException.class)
          .hasMessage("'a' was not granted within 1s");
      assertThat(rig.store.log).endsWith("withdraw 1");
    }
  }

  @Test
  void aLimitThatPassesWhileTheStoreIsSilentSaysThatItIs() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync(ONE_SECOND);
      rig.pass(Duration.ofSeconds(2));

      assertThat(rig.failed(request))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("'a': the store does not answer (scripted store)");
    }
  }

  @Test
  void aThreadsLimitThatPassesWhileTheStoreIsSilentSaysThatItIs() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      CompletableFuture<?> begun =
          actor.begin(() -> rig.keeper.lock("a").tryAcquire(Duration.ofMillis(1_500)));
      rig.store.claims.next();
      rig.freeze(Duration.ofMillis(1_500));

      assertThat(Actor.end(begun)).isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  void aThreadsLimitThatPassesIsAnEmptyResult() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      var begun = actor.begin(() -> rig.keeper.lock("a").tryAcquire(Duration.ofMillis(100)));
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.freeze(Duration.ofMillis(100));
      var withdrawal = rig.store.withdrawals.next();
      actor.awaitParked();
      assertThat(begun).as("while its claim may get the lock").isNotDone();
      withdrawal.reply(LEFT);

      assertThat(Actor.get(begun)).isEmpty();
      assertThat(rig.store.log).endsWith("withdraw 1");
    }
  }

  @Test
  void aWaitInVainSaysWhichThreadOfThisClientHolds() throws InterruptedException {
    try (Rig rig = Rig.obliging()) {
      rig.actor("busy").run(rig.keeper.lock("a")::lock);

      assertThatThrownBy(() -> rig.keeper.lock("a").lock(ONE_SECOND.withWait(Duration.ZERO)))
          .isInstanceOf(AcquireTimeoutException.class)
          .hasMessageMatching("'a' was not granted within 0s: thread 'busy.*' of this client .*");
    }
  }

  @Test
  void aWaitInVainKeepsWhyTheStoreDidNotAnswerLast() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request =
          rig.keeper.lock("a").acquireAsync(ONE_SECOND.withWait(Duration.ofSeconds(10)));
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.store.polls.always(ScriptedStore::silence);
      rig.store.withdrawals.always(withdrawal -> LEFT);
      rig.pass(Duration.ofSeconds(12));

      assertThat(rig.failed(request)).isInstanceOf(AcquireTimeoutException.class);
      assertThat(rig.store.polls.count()).isPositive();
      assertThat(rig.failed(request)).hasCauseInstanceOf(Throwable.class);
    }
  }

  @Test
  void aClientSaysWhatItIs() {
    Rig rig = Rig.obliging();
    String open = rig.keeper.toString();
    rig.close();
    assertThat(open).startsWith("Lockkeeper[scripted store, namespace '").endsWith(", open]");
    assertThat(rig.keeper.toString()).endsWith(", closed]");
  }

  @Test
  void aThreadWhoseWithdrawalIsNotAnsweredWaitsForASecondAtMost() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      var begun = actor.begin(() -> rig.keeper.lock("a").tryAcquire(Duration.ofMillis(100)));
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.freeze(Duration.ofMillis(100));
      rig.store.withdrawals.next();
      actor.awaitParked();
      rig.freeze(Duration.ofSeconds(1));

      assertThat(Actor.get(begun)).isEmpty();
    }
  }

  @Test
  void aFailedWithdrawalEndsTheWaitAndIsSentAgain() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      var begun = actor.begin(() -> rig.keeper.lock("a").tryAcquire(Duration.ofMillis(100)));
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.freeze(Duration.ofMillis(100));
      rig.store.withdrawals.next().reply(ScriptedStore.silence());

      assertThat(Actor.get(begun)).isEmpty();
      rig.pass(Duration.ofSeconds(1));
      assertThat(rig.store.withdrawals.count()).isEqualTo(2);
    }
  }

  // ------------------------------------------------------------- barriers

  @Test
  void aMemberOfABarrierWhoseTimeIsOverPassesIfAllHadComeBefore() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedBarrier barrier = rig.keeper.barrier("b", 2);
      var begun =
          actor.begin(
              () -> {
                barrier.await(Duration.ofMillis(100));
                return "passed";
              });
      CompletionStage<Void> later = barrier.awaitAsync(Duration.ofMillis(100));
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.store.claims.next().reply(ScriptedStore.queued(2));
      rig.freeze(Duration.ofMillis(100));
      rig.pass(Duration.ofMillis(100));
      rig.store.withdrawals.next().reply(Outcome.answered(new WithdrawAnswer(17)));
      rig.store.withdrawals.next().reply(Outcome.answered(new WithdrawAnswer(18)));
      rig.settle();

      assertThat(Actor.get(begun)).isEqualTo("passed");
      assertThat(later).isCompleted();
      assertThat(rig.events(LockEvent.Abandoned.class)).isEmpty();
    }
  }

  @Test
  void aMemberOfABarrierThatIsInterruptedPassesIfAllHadComeBefore() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      var begun =
          actor.begin(
              () -> {
                rig.keeper.barrier("b", 2).await();
                return Thread.currentThread().isInterrupted();
              });
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      actor.awaitParked();
      actor.interrupt();
      rig.store.withdrawals.next().reply(Outcome.answered(new WithdrawAnswer(17)));

      assertThat(Actor.get(begun)).as("it is still interrupted").isTrue();
    }
  }

  @Test
  void aMemberOfABarrierThatLeavesSaysIfItIsNotKnownWhetherAllCame() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedBarrier barrier = rig.keeper.barrier("b", 2);
      CompletableFuture<?> begun =
          actor.begin(
              () -> {
                barrier.await(Duration.ofMillis(100));
                return "passed";
              });
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      rig.freeze(Duration.ofMillis(100));
      rig.store.withdrawals.next().reply(ScriptedStore.silence());

      assertThat(Actor.end(begun))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("whether all came");
    }
  }

  @Test
  void aMemberOfABarrierWhoseClientIsClosedHasLeftWhenItsWaitEnds() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      CompletableFuture<?> begun =
          actor.begin(
              () -> {
                rig.keeper.barrier("b", 2).await();
                return "passed";
              });
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      actor.awaitParked();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(rig.keeper::close);
      var withdrawal = rig.store.withdrawals.next();
      assertThat(begun).isNotDone();
      withdrawal.reply(LEFT);

      assertThat(Actor.end(begun)).isInstanceOf(LockkeeperClosedException.class);
      closed.join();
    }
  }

  // ------------------------------------------------------------- interrupts

  @Test
  void anInterruptEndsTheWaitAndTakesTheClaimBack() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      CompletableFuture<?> begun = actor.begin(() -> rig.keeper.lock("a").acquire());
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      actor.awaitParked();
      actor.interrupt();
      rig.store.withdrawals.next().reply(LEFT);

      assertThat(Actor.end(begun)).isInstanceOf(InterruptedException.class);
      assertThat(rig.store.log).endsWith("withdraw 1");
      assertThat(actor.call(() -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  @Test
  void anInterruptOnEntryWinsEvenIfTheLockIsFree() {
    try (Rig rig = Rig.obliging()) {
      Actor actor = rig.actor("t");
      CompletableFuture<?> begun =
          actor.begin(
              () -> {
                Thread.currentThread().interrupt();
                rig.keeper.lock("a").lockInterruptibly();
              });

      assertThat(Actor.end(begun)).isInstanceOf(InterruptedException.class);
      assertThat(rig.store.log).isEmpty();
    }
  }

  @Test
  void lockWaitsThroughInterruptsAndRestoresTheStatus() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedLock lock = rig.keeper.lock("a");
      CompletableFuture<Boolean> begun =
          actor.begin(
              () -> {
                lock.lock();
                return Thread.interrupted();
              });
      var call = rig.store.claims.next();
      actor.awaitParked();
      actor.interrupt();
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));

      assertThat(Actor.get(begun)).as("interrupted").isTrue();
      assertThat(actor.call(lock::isHeldByCurrentThread)).isTrue();
    }
  }

  @Test
  void aGrantThatComesTogetherWithAnInterruptIsGivenBack() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedLock lock = rig.keeper.lock("a");
      CompletableFuture<Void> begun = actor.begin(() -> lock.lockInterruptibly());
      var call = rig.store.claims.next();
      actor.awaitParked();
      // The clock is read while the grant is taken in: interrupted then, the thread finds both.
      rig.time.onNextReading(actor::interrupt);
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));

      assertThat(Actor.end(begun)).isInstanceOf(InterruptedException.class);
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aGrantThatEndsBeforeAnInterruptedThreadSeesItLeavesNoTrace() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedLock lock = rig.keeper.lock("a");
      CompletableFuture<Void> begun = actor.begin(() -> lock.lockInterruptibly());
      var call = rig.store.claims.next();
      actor.awaitParked();
      rig.time.onNextReading(
          () -> {
            actor.interrupt();
            rig.time.jumpFor(actor.thread(), Rig.LEASE);
          });
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));
      assertThat(Actor.end(begun)).isInstanceOf(InterruptedException.class);

      rig.store.oblige();
      actor.run(lock::lock);
      assertThat(actor.call(lock::getHoldCount)).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------- cancellation

  @Test
  void cancellingTakesTheClaimBack() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.fairLock("a").acquireAsync();
      rig.store.claims.next().reply(ScriptedStore.queued(1));
      request.toCompletableFuture().cancel(false);
      rig.store.withdrawals.next().reply(LEFT);

      assertThat(rig.store.log).containsExactly("claim 1", "withdraw 1");
      assertThat(rig.events(LockEvent.Abandoned.class)).hasSize(1);
    }
  }

  @Test
  void aGrantThatWasUnderWayWhenTheRequestWasCancelledIsReleased() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));
      request.toCompletableFuture().cancel(false); // before the callback that hands it over
      rig.settle();

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aWithdrawalIsSentAfterItsClaimAndAgainUntilAnswered() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      request.toCompletableFuture().cancel(false);
      rig.store.withdrawals.next().reply(ScriptedStore.silence());
      rig.pass(Duration.ofSeconds(1));

      assertThat(rig.store.log).containsExactly("claim 1", "withdraw 1", "withdraw 1");
    }
  }

  @Test
  void aLateGrantOfAWithdrawnClaimThatIsPushedIsReleased() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.queued(1));
      request.toCompletableFuture().cancel(false);
      rig.store.withdrawals.next().reply(LEFT);
      rig.store.notifications.granted(ResourceId.lock("a"), rig.store.grant(call.request));

      assertThat(rig.store.log).endsWith("withdraw 1", "release 1");
    }
  }

  @Test
  void aLateGrantOfAWithdrawnClaimThatIsAnsweredIsReleased() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      request.toCompletableFuture().cancel(false);
      rig.store.withdrawals.next().reply(LEFT);
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));

      assertThat(rig.store.log).endsWith("withdraw 1", "release 1");
    }
  }

  @Test
  void aGrantOfAClaimWhoseWithdrawalIsUnderWayIsLeftToThat() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      request.toCompletableFuture().cancel(false);
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));
      rig.store.notifications.granted(ResourceId.lock("a"), rig.store.grant(call.request));

      assertThat(rig.store.log).containsExactly("claim 1", "withdraw 1");
    }
  }

  // ------------------------------------------------------------- leases and threads

  @Test
  void acquireByAThreadThatHoldsTheLockThrowsInsteadOfWaitingForItself() throws Exception {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();

      assertThatIllegalStateException()
          .isThrownBy(lock::acquire)
          .withMessageContaining("would wait for itself");
      assertThatIllegalStateException().isThrownBy(() -> rig.keeper.fairLock("a").acquire());
      assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
      assertThat(rig.store.log).containsExactly("claim 1");
    }
  }

  @Test
  void acquireByAThreadThatHoldsALeaseIsNotForbidden() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor actor = rig.actor("t");
      Lease first = actor.call(lock::acquire);
      CompletableFuture<Lease> second = actor.begin(() -> lock.acquire());
      actor.awaitParked();
      first.release();

      assertThat(Actor.get(second).token()).isGreaterThan(first.token());
    }
  }

  @Test
  void aGrantThatIsOverBeforeItsThreadRunsIsAskedForAgain() {
    try (Rig rig = Rig.silent()) {
      Actor actor = rig.actor("t");
      DistributedLock lock = rig.keeper.lock("a");
      CompletableFuture<Void> begun = actor.begin(() -> lock.lock());
      var call = rig.store.claims.next();
      actor.awaitParked();
      rig.time.jumpFor(actor.thread(), Rig.LEASE);
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));
      var again = rig.store.claims.next();
      again.reply(ScriptedStore.granted(rig.store.grant(again.request)));
      Actor.get(begun);

      assertThat(again.request.claim()).isNotEqualTo(call.request.claim());
      assertThat(actor.call(lock::getHoldCount)).isEqualTo(1);
    }
  }
}

package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PermitsTest {

  private final PermitFixture pool = new PermitFixture(ResourceKind.SEMAPHORE);

  @Test
  void everyRequestHasAClaimOfItsOwnThatSaysHowMuchItWants() {
    pool.async(2);
    pool.async(3);
    assertThat(pool.effects.claims)
        .extracting(claim -> claim.request.share().permits())
        .containsExactly(2, 3);
    assertThat(pool.effects.claims)
        .extracting(claim -> claim.request.resource())
        .containsOnly(new ResourceId(ResourceKind.SEMAPHORE, "a"));
  }

  @Test
  void holdsStandSideBySideAndOneReleaseLeavesTheOthers() {
    Hold first = pool.granted(pool.async(1));
    Hold second = pool.granted(pool.async(1));

    pool.state.release(first, pool.now);

    assertThat(first.state).isEqualTo(Hold.State.RELEASED);
    assertThat(second.isValid(pool.now)).isTrue();
    assertThat(pool.effects.releases).hasSize(1);
    assertThat(pool.effects.releases.get(0).release().number).isEqualTo(first.grant.number);
  }

  @Test
  void aGrantHeardTwiceIsOneGrant() {
    Waiter waiter = pool.async(1);
    Grant grant = pool.grant(waiter, true);
    pool.push(grant);
    pool.push(grant);
    pool.polled(
        new PollRequest(ResourceId.lock("a"), grant.grant()), new PollAnswer.Granted(grant));

    assertThat(waiter.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(pool.effects.releases).isEmpty();
    assertThat(pool.effects.settled).containsExactly(waiter);
  }

  @Test
  void aGrantThatNobodyWaitsForAnyMoreIsGivenBack() {
    Waiter waiter = pool.async(1);
    Grant grant = pool.grant(waiter, true);
    pool.leave(waiter);
    assertThat(pool.effects.withdrawals).hasSize(1);
    pool.state.withdrawAnswered(
        pool.effects.withdrawals.get(0), Outcome.answered(WithdrawAnswer.LEFT), pool.now);

    pool.push(grant);

    assertThat(pool.effects.releases).hasSize(1);
    assertThat(pool.effects.releases.get(0).release().number).isEqualTo(grant.grant());
  }

  @Test
  void eachWaitingClaimIsLookedAt() {
    Waiter first = pool.async(1);
    Waiter second = pool.async(1);
    pool.queued(first, 1);
    pool.queued(second, 2);
    pool.pass(Duration.ofSeconds(1));
    pool.tick();

    assertThat(pool.polls())
        .extracting(PollRequest::claim)
        .containsExactlyInAnyOrder(pool.claim(first).number(), pool.claim(second).number());
    pool.pass(Duration.ofSeconds(2));
    pool.tick();
    assertThat(pool.polls()).as("while the answers are under way").isEmpty();
  }

  @Test
  void onlyTheClaimThatIsGoneIsSentAgain() {
    Waiter first = pool.async(1);
    Waiter second = pool.async(1);
    pool.queued(first, 1);
    pool.queued(second, 2);
    pool.pass(Duration.ofSeconds(1));
    pool.tick();
    List<PollRequest> polls = pool.polls();
    pool.effects.claims.clear();

    for (PollRequest poll : polls) {
      boolean gone = poll.claim() == pool.claim(second).number();
      pool.polled(poll, gone ? new PollAnswer.Gone() : new Queued(0, 60_000_000, 1));
    }
    pool.tick();

    assertThat(pool.effects.claims).containsExactly(pool.claim(second));
  }

  @Test
  void whatShrinksIsToldToTheStoreAtOnceAndUntilItAnswers() {
    Hold hold = pool.granted(pool.async(5));
    pool.state.shrink(hold, 3, pool.now);
    RenewRequest first = pool.effects.shrunk.get(0);
    assertThat(first.permits()).isEqualTo(3);
    assertThat(hold.permits).isEqualTo(3);

    pool.state.shrink(hold, 2, pool.now); // while the first is under way
    RenewRequest second = pool.effects.shrunk.get(1);
    pool.shrinkAnswered(hold, second, Outcome.unknown(new IOException("lost")));
    pool.shrinkAnswered(hold, first, Outcome.answered(new RenewAnswer(true, false)));
    pool.pass(Duration.ofMillis(100));
    pool.tick();
    RenewRequest again = pool.renewals().get(0);
    assertThat(again.permits()).isEqualTo(2);
    pool.renewed(hold, again, true);

    pool.pass(Duration.ofSeconds(10));
    pool.tick();
    assertThat(pool.renewals().get(0).permits()).as("the next renewal").isZero();
  }

  @Test
  void anAnswerToAnOlderRenewalDoesNotEndTheNewsOfAShrunkHold() {
    Hold hold = pool.granted(pool.async(5));
    pool.pass(Duration.ofSeconds(10));
    pool.tick();
    RenewRequest ordinary = pool.renewals().get(0);
    pool.state.shrink(hold, 1, pool.now);
    pool.renewed(hold, ordinary, true);
    pool.shrinkAnswered(hold, pool.effects.shrunk.get(0), Outcome.unknown(new IOException("lost")));
    pool.pass(Duration.ofMillis(100));
    pool.tick();
    assertThat(pool.renewals().get(0).permits()).isEqualTo(1);
  }

  @Test
  void whoShrinksWhatTheStoreDoesNotKnowLosesIt() {
    Hold hold = pool.granted(pool.async(5));
    pool.state.shrink(hold, 1, pool.now);
    CompletableFuture<Void> told = new CompletableFuture<>();
    Completion listener =
        new Completion() {
          @Override
          public void done() {
            told.complete(null);
          }

          @Override
          public void fail(RuntimeException failure) {
            told.completeExceptionally(failure);
          }
        };
    assertThat(pool.state.awaitConfirmation(hold.grant, listener)).isTrue();

    pool.shrinkAnswered(
        hold, pool.effects.shrunk.get(0), Outcome.answered(new RenewAnswer(false, false)));

    assertThat(hold.loss().reason()).isEqualTo(Reason.NOT_AT_STORE);
    assertThat(told).isCompleted();
  }

  /** The news of a grant came before the answer, and its holder was released by its id. */
  @Test
  void aClaimThatIsGrantedAgainEndsItsFirstGrantAndIsGivenBack() {
    Waiter waiter = pool.async(1);
    Claim claim = pool.claim(waiter);
    pool.push(pool.grant(waiter, false));
    Hold hold = waiter.hold;
    pool.answer(claim, new ClaimAnswer.Granted(pool.grant(waiter, true)));

    assertThat(pool.effects.lost).containsExactly(hold);
    assertThat(hold.loss().reason()).isEqualTo(Reason.NOT_AT_STORE);
    assertThat(pool.effects.releases).hasSize(1);
  }

  @Test
  void aLossOfOneLeavesTheOthers() {
    Hold first = pool.granted(pool.async(1));
    Hold second = pool.granted(pool.async(1));
    pool.pass(Duration.ofSeconds(10));
    pool.tick();
    List<RenewRequest> renewals = pool.renewals();
    for (RenewRequest request : renewals) {
      boolean isFirst = request.grant() == first.grant.number;
      pool.renewed(isFirst ? first : second, request, !isFirst);
    }

    assertThat(pool.effects.lost).containsExactly(first);
    assertThat(first.loss().reason()).isEqualTo(Reason.NOT_AT_STORE);
    assertThat(second.isValid(pool.now)).isTrue();
    assertThat(pool.effects.releases).as("of what the store no longer knows").isEmpty();
  }

  @Test
  void aTenureWhoseTimeIsOverIsLostAndGivenBack() {
    Hold hold = pool.granted(pool.async(1));
    pool.pass(Duration.ofSeconds(31));
    pool.tick();
    assertThat(hold.loss().reason()).isEqualTo(Reason.EXPIRED);
    assertThat(pool.effects.releases).hasSize(1);
  }

  @Test
  void aPermitOfFixedLengthIsLeftToEndByItselfAtTheStore() {
    Hold hold = pool.granted(pool.fixed(1, Duration.ofSeconds(2)));
    pool.pass(Duration.ofSeconds(2));
    pool.tick();
    assertThat(hold.loss().reason()).isEqualTo(Reason.FIXED_LEASE_ENDED);
    assertThat(pool.effects.releases).isEmpty();
  }

  /** By its id, another client may have renewed it. */
  @Test
  void aPermitOfFixedLengthIsLeftToEndByItselfAlsoIfItsRenewalWasSentLate() {
    Waiter waiter = pool.fixed(1, Duration.ofSeconds(2));
    pool.queued(waiter, 1);
    pool.push(pool.grant(waiter, false));
    Hold hold = waiter.hold;
    pool.pass(Duration.ofMillis(900));
    pool.tick();
    RenewRequest renewal = pool.renewals().get(0);
    pool.pass(Duration.ofMillis(50));
    pool.renewed(hold, renewal, true);
    pool.pass(Duration.ofMillis(1_051));
    pool.tick();
    assertThat(hold.loss().reason()).isEqualTo(Reason.FIXED_LEASE_ENDED);
    assertThat(pool.effects.releases).isEmpty();
  }

  /** The client's second request for it may be answered after its end, and so may a look. */
  @Test
  void aPermitOfFixedLengthIsLeftToEndByItselfAlsoIfNewsOfItComesLate() {
    Waiter waiter = pool.fixed(1, Duration.ofSeconds(2));
    pool.queued(waiter, 1);
    Grant grant = pool.grant(waiter, false);
    pool.push(grant);
    pool.pass(Duration.ofSeconds(2));
    pool.tick();
    pool.polled(
        new PollRequest(ResourceId.lock("a"), grant.grant()), new PollAnswer.Granted(grant));
    pool.push(grant);
    assertThat(waiter.hold.loss()).isNotNull();
    assertThat(pool.effects.releases).isEmpty();
    assertThat(pool.state.isIdle()).as("remembers it").isFalse();

    pool.pass(Duration.ofSeconds(60));
    pool.tick();
    assertThat(pool.state.isIdle()).isTrue();
  }

  @Test
  void aPermitOfFixedLengthThatWasShortenedIsGivenBack() {
    Hold hold = pool.granted(pool.fixed(1, Duration.ofSeconds(60)));
    assertThat(hold.endAt(pool.now + Duration.ofSeconds(1).toNanos())).isTrue();
    pool.state.reconnected(pool.now);
    pool.pass(Duration.ofSeconds(2));
    pool.state.expire(hold, pool.now);
    assertThat(hold.loss().reason()).isEqualTo(Reason.FIXED_LEASE_ENDED);
    assertThat(pool.effects.releases).hasSize(1);
  }

  @Test
  void aPushedGrantIsConfirmedSoonAndOneThatMustBeConfirmedFirstIsNotUsedBefore() {
    pool.policy.confirmsHandOver = true;
    Waiter waiter = pool.async(1);
    pool.queued(waiter, 1);
    Grant grant = pool.grant(waiter, false);
    pool.push(grant);
    assertThat(waiter.isWaiting()).isTrue();
    pool.tick();
    RenewRequest renewal = pool.renewals().get(0);
    assertThat(renewal.grant()).isEqualTo(grant.grant());

    pool.state.claimAnswered(
        pool.claim(waiter), pool.now, Outcome.answered(new ClaimAnswer.Granted(grant)), pool.now);
    assertThat(waiter.isWaiting()).as("after an answer that says the same").isTrue();
    assertThat(pool.effects.releases).isEmpty();
  }

  @Test
  void aGrantThatCameTooLateIsGivenBackAndAskedForAgain() {
    Waiter waiter = pool.async(1);
    pool.queued(waiter, 1);
    Claim before = pool.claim(waiter);
    Grant grant = pool.grant(waiter, false);
    pool.pass(Duration.ofSeconds(5));
    pool.state.claimAnswered(
        before,
        pool.now - Duration.ofSeconds(5).toNanos(),
        Outcome.answered(new ClaimAnswer.Granted(grant)),
        pool.now);

    assertThat(waiter.isWaiting()).isTrue();
    assertThat(pool.claim(waiter)).isNotSameAs(before);
    assertThat(pool.effects.releases).hasSize(1);
  }

  @Test
  void aThreadFindsItsOwnHoldAndItsOwnLoss() throws InterruptedException {
    Thread owner = new Thread(() -> {}, "owner");
    owner.start();
    owner.join();
    Hold hold = pool.granted(pool.owned(1, owner));
    assertThat(pool.state.holdOf(owner)).isSameAs(hold);
    assertThat(pool.state.holdOf(Thread.currentThread())).isNull();

    pool.pass(Duration.ofSeconds(10));
    pool.tick();

    assertThat(hold.loss().reason()).isEqualTo(Reason.OWNER_DIED);
    assertThat(pool.state.holdOf(owner)).isNull();
    assertThat(pool.effects.releases).hasSize(1);
  }

  @Test
  void aMemberOfABarrierGoesOnAndItsGrantIsReleasedAtOnceHoweverLate() {
    PermitFixture barrier = new PermitFixture(ResourceKind.BARRIER);
    Waiter member = barrier.async(1);
    barrier.queued(member, 1);
    Grant grant = barrier.grant(member, false);
    barrier.pass(Duration.ofSeconds(20));
    barrier.push(grant);

    assertThat(member.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(barrier.effects.releases).hasSize(1);
    assertThat(barrier.effects.lost).isEmpty();
  }

  /** A copy of its claim that comes later would count as a member of the next group. */
  @Test
  void aMemberThatHasPassedInDoubtTakesItsClaimBack() {
    PermitFixture barrier = new PermitFixture(ResourceKind.BARRIER);
    Waiter member = barrier.async(1);
    Claim claim = barrier.claim(member);
    barrier.state.claimAnswered(
        claim, barrier.now, Outcome.unknown(new IOException("lost")), barrier.now);
    barrier.push(barrier.grant(member, false));

    assertThat(member.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(barrier.effects.releases).isEmpty();
    assertThat(barrier.effects.withdrawals).hasSize(1);
    barrier.confirmLastWithdrawal();
    assertThat(barrier.state.hasReleases()).isFalse();
  }

  /** A release would let a copy of the claim in again; its withdrawal does not. */
  @Test
  void aMemberThatHasPassedInDoubtIsNotReleasedIfItsGrantIsFoundAgain() {
    PermitFixture barrier = new PermitFixture(ResourceKind.BARRIER);
    Waiter member = barrier.async(1);
    Claim claim = barrier.claim(member);
    barrier.state.claimAnswered(
        claim, barrier.now, Outcome.unknown(new IOException("lost")), barrier.now);
    Grant grant = barrier.grant(member, false);
    barrier.push(grant);

    barrier.polled(
        new PollRequest(claim.request.resource(), claim.number()), new PollAnswer.Granted(grant));

    assertThat(barrier.effects.releases).isEmpty();
    assertThat(barrier.effects.withdrawals).hasSize(1);
  }

  @Test
  void closingEndsWaitsAndHolds() {
    Hold hold = pool.granted(pool.async(1));
    Waiter waiter = pool.async(1);
    pool.state.close(pool.now);
    assertThat(hold.loss().reason()).isEqualTo(Reason.CLIENT_CLOSED);
    assertThat(waiter.failure).isInstanceOf(LockkeeperClosedException.class);
    assertThat(pool.effects.releases).hasSize(1);
    assertThat(pool.effects.withdrawals).hasSize(1);
  }

  // ------------------------------------------------------------- releases without an answer

  /** A grant as a store without a clock gives it, of whose lease the holder knows nothing. */
  private static Grant unreliable(Grant grant) {
    return new Grant(
        grant.grant(),
        grant.claims(),
        grant.firstToken(),
        grant.lastToken(),
        grant.storeMicros(),
        0,
        grant.othersWait(),
        true);
  }

  private static void assertReleaseIsSentAgain(PermitFixture fixture) {
    assertThat(fixture.effects.releases).hasSize(1);
    PendingRelease release = fixture.effects.releases.get(0).release();
    fixture.pass(Duration.ofSeconds(20));
    fixture.state.releaseAnswered(release, null, fixture.now, ScriptedStore.silence(), fixture.now);
    fixture.pass(Duration.ofSeconds(1));
    fixture.tick();
    assertThat(fixture.effects.releases)
        .extracting(RecordedEffects.Released::release)
        .containsExactly(release, release);
  }

  @Test
  void theReleaseOfAMemberOfABarrierIsSentAgainHoweverLittleItCouldRelyOnItsLease() {
    PermitFixture barrier = new PermitFixture(ResourceKind.BARRIER);
    barrier.push(unreliable(barrier.grant(barrier.async(1), true)));

    assertReleaseIsSentAgain(barrier);
  }

  @Test
  void theReleaseOfAnUnknownGrantIsSentAgainHoweverLittleItsHolderCouldRelyOnItsLease() {
    Waiter waiter = pool.async(1);
    Grant grant = pool.grant(waiter, true);
    pool.leave(waiter);
    pool.confirmLastWithdrawal();
    pool.push(unreliable(grant));

    assertReleaseIsSentAgain(pool);
  }

  @Test
  void theReleaseOfALostGrantIsSentAgainUntilItIsOverAtTheStore() {
    pool.push(unreliable(pool.grant(pool.async(1), true)));

    assertReleaseIsSentAgain(pool);
  }
}

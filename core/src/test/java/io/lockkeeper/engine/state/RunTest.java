package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How a grant for several claims of one client is served. */
class RunTest {

  private final LockFixture lock = new LockFixture();

  private Waiter strict() {
    return lock.enter(lock.async(Waiter.Order.STRICT, LockFixture.LEASE));
  }

  private void queueAll() {
    for (Claim claim : lock.effects.claims) {
      lock.queue(claim, claim.number());
    }
  }

  @Test
  void everyStrictRequestHasAClaimOfItsOwnForOneToken() {
    strict();
    strict();

    assertThat(lock.effects.claims).hasSize(2);
    assertThat(lock.effects.claims).allMatch(claim -> claim.request.tokens() == 1);
  }

  @Test
  void allSharedRequestsHaveOneClaimForABlockOfTokens() {
    lock.enter(50);

    assertThat(lock.effects.claims).hasSize(1);
    assertThat(lock.lastClaim().request.tokens()).isEqualTo(PendingClaims.SHARED_TOKENS);
  }

  @Test
  void aRunIsServedInItsOrderWithOneTokenEachAndGivenBackOnce() {
    List<Waiter> waiters = List.of(strict(), strict(), strict());
    queueAll();
    Grant grant = lock.push(lock.effects.claims, true);
    int served = lock.serveUntilGivenBack();

    assertThat(served).isEqualTo(3);
    assertThat(waiters)
        .extracting(waiter -> waiter.hold.token)
        .containsExactly(grant.firstToken(), grant.firstToken() + 1, grant.firstToken() + 2);
    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.lastRelease().release().number).isEqualTo(grant.grant());
  }

  /** Another client released the first grant by its id while the answer was under way. */
  @Test
  void aClaimThatIsGrantedAgainEndsItsFirstGrantAndIsGivenBack() {
    Waiter first = strict();
    Waiter second = strict();
    queueAll();
    Claim claim = lock.effects.claims.get(0);
    Claim behind = lock.effects.claims.get(1);
    lock.push(List.of(claim), true);
    Hold hold = first.hold;
    Grant again = lock.push(List.of(claim), true);

    assertThat(lock.effects.lost).containsExactly(hold);
    assertThat(hold.loss().reason()).isEqualTo(LeaseLost.Reason.NOT_AT_STORE);
    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.lastRelease().release().number).isEqualTo(again.grant());

    lock.push(List.of(behind), false);
    assertThat(second.hold.token).isGreaterThan(again.lastToken());
  }

  @Test
  void whoHasLeftTheRunIsPassedOver() {
    Waiter first = strict();
    Waiter second = strict();
    Waiter third = strict();
    queueAll();
    lock.push(lock.effects.claims, true);
    lock.leave(second);
    lock.releaseHold();

    assertThat(first.hold.state).isEqualTo(Hold.State.RELEASED);
    assertThat(third.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(lock.effects.withdrawals).as("the claim has no place to give up").isEmpty();
  }

  @Test
  void theTokensOfTheStrictAreKeptForThem() {
    lock.enter(2_000);
    Waiter strict = strict();
    queueAll();
    Grant grant = lock.push(lock.effects.claims, false);
    int served = 0;
    while (!strict.state.equals(Waiter.State.GRANTED)) {
      served++;
      lock.releaseHold();
    }

    assertThat(served).isEqualTo(PendingClaims.SHARED_TOKENS);
    assertThat(strict.hold.token).isEqualTo(grant.lastToken());
  }

  @Test
  void sharedRequestsLeftOverFromARunAreAskedForAgainAtOnce() {
    lock.enter(200);
    Waiter strict = strict();
    queueAll();
    lock.push(List.copyOf(lock.effects.claims), true);
    while (!strict.state.equals(Waiter.State.GRANTED)) {
      lock.releaseHold();
    }

    assertThat(lock.effects.claims).as("a new shared claim behind the run").hasSize(3);
    assertThat(lock.lastClaim().isShared()).isTrue();
  }

  @Test
  void theOrderOfArrivalIsReportedForStrictRequests() {
    strict();
    lock.queue(lock.lastClaim(), 77);
    lock.push(lock.effects.claims, false);

    assertThat(lock.effects.events)
        .filteredOn(LockEvent.Acquired.class::isInstance)
        .extracting(event -> ((LockEvent.Acquired) event).arrival())
        .containsExactly(OptionalLong.of(77));
  }

  @Test
  void whenARunIsLostWhoWasNotServedYetIsAskedForAgain() {
    Waiter first = strict();
    Waiter second = strict();
    queueAll();
    lock.push(List.copyOf(lock.effects.claims), true);
    lock.pass(Duration.ofSeconds(31));
    lock.tick();

    assertThat(first.hold.loss().reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
    assertThat(second.isWaiting()).isTrue();
    assertThat(lock.lastClaim().waiter).isSameAs(second);
    assertThat(lock.lastClaim().number()).isEqualTo(3);
  }

  @Test
  void aLargerGrantWhileOneIsHeldMeansThatTheOldOneIsGone() {
    Waiter holder = strict();
    lock.grantLast(true);
    Waiter next = strict();
    lock.queue(lock.lastClaim(), 2);
    lock.push(List.of(lock.lastClaim()), false);

    assertThat(holder.hold.loss().reason()).isEqualTo(LeaseLost.Reason.NOT_AT_STORE);
    assertThat(next.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(next.hold.token).isGreaterThan(holder.hold.token);
    assertThat(lock.effects.releases).as("what is gone is not released").isEmpty();
  }

  @Test
  void aGrantHeardTwiceChangesNothing() {
    Waiter holder = strict();
    lock.queue(lock.lastClaim(), 1);
    Grant grant = lock.push(lock.effects.claims, false);
    lock.state.pushed(grant, lock.now);

    assertThat(holder.hold.state).isEqualTo(Hold.State.HELD);
    assertThat(lock.effects.releases).isEmpty();
  }

  @Test
  void aGrantThatNeedsConfirmationIsConfirmedBeforeItIsServed() {
    lock.policy.confirmsHandOver = true;
    Waiter waiter = strict();
    lock.queue(lock.lastClaim(), 1);
    var unconfirmed =
        new ScriptedStore().grant(List.of(lock.lastClaim().request), false, false, 1_000);
    lock.state.pushed(unconfirmed, lock.now);

    assertThat(waiter.isWaiting()).isTrue();
    assertThat(lock.state.dueNanos()).as("a renewal is due at once").isEqualTo(lock.now);
  }

  @Test
  void aGrantThatWasFoundLateIsConfirmedBeforeItIsServed() {
    Waiter waiter = lock.enter(lock.async());
    lock.queue(lock.lastClaim(), 1);
    Grant late = new ScriptedStore().grant(List.of(lock.lastClaim().request), false, false, 100);
    lock.state.pushed(late, lock.now);
    assertThat(lock.hold()).as("too little of the claim deadline is left").isNull();
    assertThat(lock.state.dueNanos()).isEqualTo(lock.now);

    RenewRequest request =
        new RenewRequest(ResourceId.lock("a"), late.grant(), LockFixture.LEASE / LockFixture.MILLI);
    lock.state.renewAnswered(
        lock.grant(), request, lock.now, Outcome.answered(new RenewAnswer(true, false)), lock.now);

    assertThat(lock.hold()).isSameAs(waiter.hold);
    assertThat(waiter.hold.validUntilNanos() - lock.now).isGreaterThan(LockFixture.LEASE / 2);
  }
}

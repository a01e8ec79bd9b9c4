package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a grant for several claims of one client is served. */
class RunTest {

  private final GateFixture gate = new GateFixture();

  private Waiter strict() {
    return gate.enter(gate.async(Waiter.Order.STRICT, GateFixture.LEASE));
  }

  private void queueAll() {
    for (Claim claim : gate.effects.claims) {
      gate.queue(claim, claim.number());
    }
  }

  @Test
  void everyStrictRequestHasAClaimOfItsOwnForOneToken() {
    strict();
    strict();

    assertThat(gate.effects.claims).hasSize(2);
    assertThat(gate.effects.claims).allMatch(claim -> claim.request.tokens() == 1);
  }

  @Test
  void allSharedRequestsHaveOneClaimForABlockOfTokens() {
    gate.enter(50);

    assertThat(gate.effects.claims).hasSize(1);
    assertThat(gate.lastClaim().request.tokens()).isEqualTo(ClaimDesk.SHARED_TOKENS);
  }

  @Test
  void aRunIsServedInItsOrderWithOneTokenEachAndGivenBackOnce() {
    List<Waiter> waiters = List.of(strict(), strict(), strict());
    queueAll();
    Grant grant = gate.push(gate.effects.claims, true);
    int served = gate.serveUntilGivenBack();

    assertThat(served).isEqualTo(3);
    assertThat(waiters)
        .extracting(waiter -> waiter.hold.token)
        .containsExactly(grant.firstToken(), grant.firstToken() + 1, grant.firstToken() + 2);
    assertThat(gate.effects.releases).hasSize(1);
    assertThat(gate.lastRelease().retreat().number).isEqualTo(grant.grant());
  }

  @Test
  void whoHasLeftTheRunIsPassedOver() {
    Waiter first = strict();
    Waiter second = strict();
    Waiter third = strict();
    queueAll();
    gate.push(gate.effects.claims, true);
    gate.leave(second);
    gate.releaseHold();

    assertThat(first.hold.state).isEqualTo(Hold.State.RELEASED);
    assertThat(third.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(gate.effects.withdrawals).as("the claim has no place to give up").isEmpty();
  }

  @Test
  void theTokensOfTheStrictAreKeptForThem() {
    gate.enter(2_000);
    Waiter strict = strict();
    queueAll();
    Grant grant = gate.push(gate.effects.claims, false);
    int served = 0;
    while (!strict.state.equals(Waiter.State.GRANTED)) {
      served++;
      gate.releaseHold();
    }

    assertThat(served).isEqualTo(ClaimDesk.SHARED_TOKENS);
    assertThat(strict.hold.token).isEqualTo(grant.lastToken());
  }

  @Test
  void sharedRequestsLeftOverFromARunAreAskedForAgainAtOnce() {
    gate.enter(200);
    Waiter strict = strict();
    queueAll();
    gate.push(List.copyOf(gate.effects.claims), true);
    while (!strict.state.equals(Waiter.State.GRANTED)) {
      gate.releaseHold();
    }

    assertThat(gate.effects.claims).as("a new shared claim behind the run").hasSize(3);
    assertThat(gate.lastClaim().isShared()).isTrue();
  }

  @Test
  void theOrderOfArrivalIsReportedForStrictRequests() {
    strict();
    gate.queue(gate.lastClaim(), 77);
    gate.push(gate.effects.claims, false);

    assertThat(gate.effects.events)
        .filteredOn(LockEvent.Acquired.class::isInstance)
        .extracting(event -> ((LockEvent.Acquired) event).arrival())
        .containsExactly(77L);
  }

  @Test
  void whenARunIsLostWhoWasNotServedYetIsAskedForAgain() {
    Waiter first = strict();
    Waiter second = strict();
    queueAll();
    gate.push(List.copyOf(gate.effects.claims), true);
    gate.pass(Duration.ofSeconds(31));
    gate.tick();

    assertThat(first.hold.loss.reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
    assertThat(second.isWaiting()).isTrue();
    assertThat(gate.lastClaim().waiter).isSameAs(second);
    assertThat(gate.lastClaim().number()).isEqualTo(3);
  }

  @Test
  void aLargerGrantWhileOneIsHeldMeansThatTheOldOneIsGone() {
    Waiter holder = strict();
    gate.grantLast(true);
    Waiter next = strict();
    gate.queue(gate.lastClaim(), 2);
    gate.push(List.of(gate.lastClaim()), false);

    assertThat(holder.hold.loss.reason()).isEqualTo(LeaseLost.Reason.NOT_AT_STORE);
    assertThat(next.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(next.hold.token).isGreaterThan(holder.hold.token);
    assertThat(gate.effects.releases).as("what is gone is not released").isEmpty();
  }

  @Test
  void aGrantHeardTwiceChangesNothing() {
    Waiter holder = strict();
    gate.queue(gate.lastClaim(), 1);
    Grant grant = gate.push(gate.effects.claims, false);
    gate.state.pushed(grant, gate.now);

    assertThat(holder.hold.state).isEqualTo(Hold.State.HELD);
    assertThat(gate.effects.releases).isEmpty();
  }

  @Test
  void aGrantThatNeedsConfirmationIsConfirmedBeforeItIsServed() {
    gate.policy.confirmsHandOver = true;
    Waiter waiter = strict();
    gate.queue(gate.lastClaim(), 1);
    var unconfirmed =
        new ScriptedStore().grant(List.of(gate.lastClaim().request), false, false, 1_000);
    gate.state.pushed(unconfirmed, gate.now);

    assertThat(waiter.isWaiting()).isTrue();
    assertThat(gate.state.dueNanos()).as("a renewal is due at once").isEqualTo(gate.now);
  }

  @Test
  void aGrantThatWasFoundLateIsConfirmedBeforeItIsServed() {
    Waiter waiter = gate.enter(gate.async());
    gate.queue(gate.lastClaim(), 1);
    Grant late = new ScriptedStore().grant(List.of(gate.lastClaim().request), false, false, 100);
    gate.state.pushed(late, gate.now);
    assertThat(gate.state.hold()).as("too little of the claim deadline is left").isNull();
    assertThat(gate.state.dueNanos()).isEqualTo(gate.now);

    RenewRequest request =
        new RenewRequest("a", late.grant(), GateFixture.LEASE / GateFixture.MILLI);
    gate.state.renewAnswered(
        gate.state.tenure(),
        request,
        gate.now,
        Outcome.answered(new RenewAnswer(true, false)),
        gate.now);

    assertThat(gate.state.hold()).isSameAs(waiter.hold);
    assertThat(waiter.hold.validUntilNanos() - gate.now).isGreaterThan(GateFixture.LEASE / 2);
  }
}

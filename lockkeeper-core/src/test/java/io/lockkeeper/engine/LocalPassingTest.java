package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LockEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a grant passes between the callers of one client without the store. */
class LocalPassingTest {

  private final GateFixture gate = new GateFixture();

  // ------------------------------------------------------------- bounds

  @Test
  void aGrantPasses64TimesWhileOthersWait() {
    gate.enter(200);
    gate.grantLast(true);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(1 + 64);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 1_000})
  void theBoundOnPassesIsTheLocksOwn(int localPasses) {
    gate.localPasses = localPasses;
    gate.enter(1_100);
    gate.grantLast(true);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(1 + localPasses);
  }

  @Test
  void aGrantPassesOnUntilItsTokensAreUsedUpWhileNobodyElseWaits() {
    gate.enter(3_000);
    gate.grantLast(false);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(ClaimDesk.SHARED_TOKENS);
  }

  @Test
  void withZeroLocalPassesTheStoreIsAskedEachTimeEvenIfNobodyElseWaits() {
    gate.localPasses = 0;
    gate.enter(2);
    gate.grantLast(false);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(1);
  }

  @Test
  void whoeverIsLeftIsPutBackIntoTheQueueInTheSameStepAsTheRelease() {
    gate.enter(200);
    gate.grantLast(true);
    gate.serveUntilGivenBack();

    Claim requeue = gate.lastRelease().requeue();
    assertThat(requeue).isNotNull();
    assertThat(requeue.number()).isNotEqualTo(gate.effects.claims.get(0).number());
    assertThat(gate.effects.claims).as("no claim of its own").hasSize(1);
  }

  @Test
  void nothingIsPutBackWhenNobodyIsLeft() {
    gate.enter(3);
    gate.grantLast(true);
    gate.serveUntilGivenBack();

    assertThat(gate.lastRelease().requeue()).isNull();
  }

  @Test
  void theBoundCountsFromWhenOthersAreKnownToWait() {
    gate.enter(1_000);
    gate.grantLast(false);
    for (int i = 0; i < 500; i++) {
      gate.releaseHold();
    }
    gate.state.wanted(gate.now);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(1 + 64);
  }

  @Test
  void hearingAgainThatOthersWaitDoesNotBeginTheCountAnew() {
    gate.enter(1_000);
    gate.grantLast(true);
    for (int i = 0; i < 40; i++) {
      gate.releaseHold();
    }
    gate.state.wanted(gate.now);

    assertThat(gate.serveUntilGivenBack()).isEqualTo(1 + 24);
  }

  @Test
  void whileOthersWaitAGrantPassesForAHundredMillisecondsAtMost() {
    gate.enter(10);
    gate.grantLast(true);
    gate.pass(Duration.ofMillis(50));
    gate.releaseHold();
    gate.pass(Duration.ofNanos(49_999_999));
    gate.releaseHold();
    assertThat(gate.state.hold()).as("still passing").isNotNull();
    gate.pass(Duration.ofNanos(1));
    gate.releaseHold();

    assertThat(gate.state.hold()).as("given back").isNull();
    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void aGrantThatIsNearlyOverIsGivenBackInsteadOfPassed() {
    gate.enter(10);
    gate.grantLast(false);
    gate.pass(Duration.ofNanos(GateFixture.LEASE - Duration.ofMillis(500).toNanos()));
    gate.releaseHold();

    assertThat(gate.state.hold()).isNull();
  }

  @Test
  void aGrantLongerThanTheNextOneAsksForIsGivenBackAndAskedForAnew() {
    gate.enter(gate.async());
    gate.enter(gate.async(Waiter.Order.SHARED, GateFixture.LEASE / 10));
    gate.grantLast(false);
    gate.releaseHold();

    assertThat(gate.lastRelease().requeue().request.leaseMillis()).isEqualTo(3_000);
  }

  @Test
  void everyPassHasALargerTokenOutOfTheBlockAndTheRestIsReturned() {
    List<Waiter> waiters = gate.enter(5);
    var grant = gate.grantLast(false);
    gate.serveUntilGivenBack();

    assertThat(waiters)
        .extracting(waiter -> waiter.hold.token)
        .containsExactly(
            grant.firstToken(),
            grant.firstToken() + 1,
            grant.firstToken() + 2,
            grant.firstToken() + 3,
            grant.firstToken() + 4);
    assertThat(gate.lastRelease().retreat().usedToken).isEqualTo(grant.firstToken() + 4);
  }

  @Test
  void everyPassIsReported() {
    gate.enter(3);
    gate.grantLast(false);
    gate.serveUntilGivenBack();

    assertThat(gate.effects.events).filteredOn(LockEvent.HandedOver.class::isInstance).hasSize(2);
    assertThat(gate.effects.events).filteredOn(LockEvent.Acquired.class::isInstance).hasSize(3);
  }

  // ------------------------------------------------------------- the open gate

  /** The gate is open, and {@code first} is first in line. */
  private Waiter open() {
    Waiter holder = gate.enter(gate.async());
    Waiter first = gate.enter(gate.blocked());
    gate.grantLast(false);
    assertThat(holder.state).isEqualTo(Waiter.State.GRANTED);
    gate.releaseHold();
    assertThat(gate.state.hold()).isNull();
    assertThat(gate.effects.releases).isEmpty();
    return first;
  }

  @Test
  void betweenTwoHoldersTheFirstInLineIsWokenAndTheGateStaysOpen() {
    Waiter first = open();

    assertThat(gate.effects.woken).containsExactly(first);
    assertThat(first.isWaiting()).isTrue();
    assertThat(gate.look(first)).isTrue();
    assertThat(first.state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aRunningThreadMayTakeTheOpenGate() {
    Waiter first = open();
    Waiter running = gate.enter(gate.blocked());

    assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(gate.look(first)).isFalse();
  }

  @Test
  void askingOnceMayTakeTheOpenGate() {
    open();

    assertThat(gate.enter(gate.blocked(Waiter.Order.ONCE, GateFixture.LEASE)).state)
        .isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aStrictRequestNeverTakesTheOpenGate() {
    open();
    Waiter strict = gate.enter(gate.blocked(Waiter.Order.STRICT, GateFixture.LEASE));

    assertThat(strict.isWaiting()).isTrue();
    assertThat(gate.lastClaim().waiter).isSameAs(strict);
  }

  @Test
  void theFirstInLineIsOvertaken16TimesAtMost() {
    Waiter first = open();
    int overtaken = 0;
    while (first.isWaiting()) {
      Waiter running = gate.enter(gate.blocked());
      assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
      overtaken++;
      gate.releaseHold();
    }

    assertThat(overtaken).isEqualTo(16);
    assertThat(first.state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aThreadThatHasBeenWokenAndHasNotLookedYetIsNotWokenAgain() {
    Waiter first = open();
    for (int i = 0; i < 5; i++) {
      gate.enter(gate.blocked());
      gate.releaseHold();
    }
    assertThat(gate.effects.woken).containsExactly(first);

    gate.enter(gate.blocked());
    assertThat(gate.look(first)).isFalse();
    gate.releaseHold();
    assertThat(gate.effects.woken).containsExactly(first, first);
  }

  @Test
  void whenTheFirstInLineLeavesTheOpenGateTheNextIsWoken() {
    Waiter first = open();
    Waiter running = gate.enter(gate.blocked());
    Waiter second = gate.enter(gate.blocked());
    assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
    gate.releaseHold();
    gate.leave(first);

    assertThat(gate.effects.woken).endsWith(second);
    assertThat(gate.look(second)).isTrue();
  }

  @Test
  void whenTheLastInLineLeavesTheOpenGateTheGrantIsGivenBack() {
    Waiter first = open();
    gate.leave(first);

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void anOpenGateWhoseTimeIsOverIsTakenByNobody() {
    Waiter first = open();
    gate.pass(Duration.ofSeconds(31));

    assertThat(gate.look(first)).isFalse();
    gate.tick();
    assertThat(gate.effects.releases).hasSize(1);
    assertThat(gate.effects.claims).as("asked for anew").hasSize(2);
  }

  @Test
  void anAsynchronousRequestIsHandedTheGateAtOnce() {
    List<Waiter> waiters = gate.enter(2);
    gate.grantLast(false);
    gate.releaseHold();

    assertThat(waiters.get(1).state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void anOpenGateThatARenewalMadeTooLongForTheFirstInLineIsGivenBack() {
    // A holder has its lease lengthened, and lets go while the renewal is still under way.
    Waiter holder = gate.enter(gate.async());
    Waiter first = gate.enter(gate.blocked());
    gate.grantLast(false);
    Tenure tenure = holder.hold.tenure;
    var request = new io.lockkeeper.spi.RenewRequest("a", tenure.grant, 600_000);
    gate.releaseHold();
    var renewed = new io.lockkeeper.spi.RenewAnswer(true, false);
    gate.state.renewAnswered(
        tenure, request, gate.now, io.lockkeeper.spi.Outcome.answered(renewed), gate.now);

    assertThat(gate.look(first)).isFalse();
    assertThat(gate.effects.releases).as("not kept for ten minutes").hasSize(1);
    assertThat(gate.lastRelease().requeue()).isNotNull();
  }
}

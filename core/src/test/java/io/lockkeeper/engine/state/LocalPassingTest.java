package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a grant passes between the callers of one client without the store. */
class LocalPassingTest {

  private final LockFixture lock = new LockFixture();

  // ------------------------------------------------------------- bounds

  @Test
  void aGrantPasses64TimesWhileOthersWait() {
    lock.enter(200);
    lock.grantLast(true);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(1 + 64);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 1_000})
  void theBoundOnPassesIsTheLocksOwn(int maxLocalHandoffs) {
    lock.maxLocalHandoffs = maxLocalHandoffs;
    lock.enter(1_100);
    lock.grantLast(true);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(1 + maxLocalHandoffs);
  }

  @Test
  void aGrantPassesOnUntilItsTokensAreUsedUpWhileNobodyElseWaits() {
    lock.enter(3_000);
    lock.grantLast(false);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(PendingClaims.SHARED_TOKENS);
  }

  @Test
  void withZeroLocalPassesTheStoreIsAskedEachTimeEvenIfNobodyElseWaits() {
    lock.maxLocalHandoffs = 0;
    lock.enter(2);
    lock.grantLast(false);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(1);
  }

  @Test
  void whoeverIsLeftIsPutBackIntoTheQueueInTheSameStepAsTheRelease() {
    lock.enter(200);
    lock.grantLast(true);
    lock.serveUntilGivenBack();

    Claim requeue = lock.lastRelease().requeue();
    assertThat(requeue).isNotNull();
    assertThat(requeue.number()).isNotEqualTo(lock.effects.claims.get(0).number());
    assertThat(lock.effects.claims).as("no claim of its own").hasSize(1);
  }

  @Test
  void nothingIsPutBackWhenNobodyIsLeft() {
    lock.enter(3);
    lock.grantLast(true);
    lock.serveUntilGivenBack();

    assertThat(lock.lastRelease().requeue()).isNull();
  }

  @Test
  void theBoundCountsFromWhenOthersAreKnownToWait() {
    lock.enter(1_000);
    lock.grantLast(false);
    for (int i = 0; i < 500; i++) {
      lock.releaseHold();
    }
    lock.state.contended(lock.now);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(1 + 64);
  }

  @Test
  void hearingAgainThatOthersWaitDoesNotBeginTheCountAnew() {
    lock.enter(1_000);
    lock.grantLast(true);
    for (int i = 0; i < 40; i++) {
      lock.releaseHold();
    }
    lock.state.contended(lock.now);

    assertThat(lock.serveUntilGivenBack()).isEqualTo(1 + 24);
  }

  @Test
  void whileOthersWaitAGrantPassesForAHundredMillisecondsAtMost() {
    lock.enter(10);
    lock.grantLast(true);
    lock.pass(Duration.ofMillis(50));
    lock.releaseHold();
    lock.pass(Duration.ofNanos(49_999_999));
    lock.releaseHold();
    assertThat(lock.hold()).as("still passing").isNotNull();
    lock.pass(Duration.ofNanos(1));
    lock.releaseHold();

    assertThat(lock.hold()).as("given back").isNull();
    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void aGrantThatIsNearlyOverIsGivenBackInsteadOfPassed() {
    lock.enter(10);
    lock.grantLast(false);
    lock.pass(Duration.ofNanos(LockFixture.LEASE - Duration.ofMillis(500).toNanos()));
    lock.releaseHold();

    assertThat(lock.hold()).isNull();
  }

  @Test
  void aGrantLongerThanTheNextOneAsksForIsGivenBackAndAskedForAnew() {
    lock.enter(lock.async());
    lock.enter(lock.async(Waiter.Order.SHARED, LockFixture.LEASE / 10));
    lock.grantLast(false);
    lock.releaseHold();

    assertThat(lock.lastRelease().requeue().request.leaseMillis()).isEqualTo(3_000);
  }

  @Test
  void everyPassHasALargerTokenOutOfTheBlockAndTheRestIsReturned() {
    List<Waiter> waiters = lock.enter(5);
    var grant = lock.grantLast(false);
    lock.serveUntilGivenBack();

    assertThat(waiters)
        .extracting(waiter -> waiter.hold.token)
        .containsExactly(
            grant.firstToken(),
            grant.firstToken() + 1,
            grant.firstToken() + 2,
            grant.firstToken() + 3,
            grant.firstToken() + 4);
    assertThat(lock.lastRelease().release().usedToken).isEqualTo(grant.firstToken() + 4);
  }

  @Test
  void everyPassIsReported() {
    lock.enter(3);
    lock.grantLast(false);
    lock.serveUntilGivenBack();

    assertThat(lock.effects.events).filteredOn(LockEvent.HandedOver.class::isInstance).hasSize(2);
    assertThat(lock.effects.events).filteredOn(LockEvent.Acquired.class::isInstance).hasSize(3);
  }

  // ------------------------------------------------------------- the open lock

  /** The lock is open, and {@code first} is first in line. */
  private Waiter open() {
    Waiter holder = lock.enter(lock.async());
    Waiter first = lock.enter(lock.blocked());
    lock.grantLast(false);
    assertThat(holder.state).isEqualTo(Waiter.State.GRANTED);
    lock.releaseHold();
    assertThat(lock.hold()).isNull();
    assertThat(lock.effects.releases).isEmpty();
    return first;
  }

  @Test
  void betweenTwoHoldersTheFirstInLineIsWokenAndTheLockStaysOpen() {
    Waiter first = open();

    assertThat(lock.effects.woken).containsExactly(first);
    assertThat(first.isWaiting()).isTrue();
    assertThat(lock.look(first)).isTrue();
    assertThat(first.state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aRunningThreadMayTakeTheOpenLock() {
    Waiter first = open();
    Waiter running = lock.enter(lock.blocked());

    assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
    assertThat(lock.look(first)).isFalse();
  }

  @Test
  void askingOnceMayTakeTheOpenLock() {
    open();

    assertThat(lock.enter(lock.blocked(Waiter.Order.ONCE, LockFixture.LEASE)).state)
        .isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aStrictRequestNeverTakesTheOpenLock() {
    open();
    Waiter strict = lock.enter(lock.blocked(Waiter.Order.STRICT, LockFixture.LEASE));

    assertThat(strict.isWaiting()).isTrue();
    assertThat(lock.lastClaim().waiter).isSameAs(strict);
  }

  @Test
  void theFirstInLineIsOvertaken16TimesAtMost() {
    Waiter first = open();
    int overtaken = 0;
    while (first.isWaiting()) {
      Waiter running = lock.enter(lock.blocked());
      assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
      overtaken++;
      lock.releaseHold();
    }

    assertThat(overtaken).isEqualTo(16);
    assertThat(first.state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void aThreadThatHasBeenWokenAndHasNotLookedYetIsNotWokenAgain() {
    Waiter first = open();
    for (int i = 0; i < 5; i++) {
      lock.enter(lock.blocked());
      lock.releaseHold();
    }
    assertThat(lock.effects.woken).containsExactly(first);

    lock.enter(lock.blocked());
    assertThat(lock.look(first)).isFalse();
    lock.releaseHold();
    assertThat(lock.effects.woken).containsExactly(first, first);
  }

  @Test
  void whenTheFirstInLineLeavesTheOpenLockTheNextIsWoken() {
    Waiter first = open();
    Waiter running = lock.enter(lock.blocked());
    Waiter second = lock.enter(lock.blocked());
    assertThat(running.state).isEqualTo(Waiter.State.GRANTED);
    lock.releaseHold();
    lock.leave(first);

    assertThat(lock.effects.woken).endsWith(second);
    assertThat(lock.look(second)).isTrue();
  }

  @Test
  void whenTheLastInLineLeavesTheOpenLockTheGrantIsGivenBack() {
    Waiter first = open();
    lock.leave(first);

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void anOpenLockWhoseTimeIsOverIsTakenByNobody() {
    Waiter first = open();
    lock.pass(Duration.ofSeconds(31));

    assertThat(lock.look(first)).isFalse();
    lock.tick();
    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.effects.claims).as("asked for anew").hasSize(2);
  }

  @Test
  void anAsynchronousRequestIsHandedTheLockAtOnce() {
    List<Waiter> waiters = lock.enter(2);
    lock.grantLast(false);
    lock.releaseHold();

    assertThat(waiters.get(1).state).isEqualTo(Waiter.State.GRANTED);
  }

  @Test
  void anOpenLockThatARenewalMadeTooLongForTheFirstInLineIsGivenBack() {
    // A holder has its lease lengthened, and lets go while the renewal is still under way.
    Waiter holder = lock.enter(lock.async());
    Waiter first = lock.enter(lock.blocked());
    lock.grantLast(false);
    CurrentGrant grant = holder.hold.grant;
    var request = new io.lockkeeper.spi.RenewRequest(ResourceId.lock("a"), grant.number, 600_000);
    lock.releaseHold();
    var renewed = new io.lockkeeper.spi.RenewAnswer(true, false);
    lock.state.renewAnswered(
        grant, request, lock.now, io.lockkeeper.spi.Outcome.answered(renewed), lock.now);

    assertThat(lock.look(first)).isFalse();
    assertThat(lock.effects.releases).as("not kept for ten minutes").hasSize(1);
    assertThat(lock.lastRelease().requeue()).isNotNull();
  }
}

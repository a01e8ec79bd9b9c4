package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a release is held back until the store can send it. */
class HeldBackReleaseTest {

  private final ExclusiveFixture lock = new ExclusiveFixture();

  HeldBackReleaseTest() {
    lock.policy.sendsLater = true;
  }

  private void hold(boolean othersWait) {
    lock.enter(1);
    lock.grantLast(othersWait);
  }

  private void holdAndRelease() {
    hold(false);
    lock.releaseHold();
  }

  private void mayBeSent() {
    lock.state.mayBeSent(lock.now);
    assertThat(lock.state.isSound()).isTrue();
  }

  private void isHeldBack() {
    assertThat(lock.effects.releases).isEmpty();
  }

  private void isSent() {
    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.state.currentGrant()).isNull();
  }

  @Test
  void itIsSentWhenTheStoreCanSend() {
    holdAndRelease();
    isHeldBack();
    assertThat(lock.effects.sendsLater).isEqualTo(1);
    assertThat(lock.state.isHeld(lock.now)).isFalse();

    mayBeSent();

    isSent();
  }

  @Test
  void whoComesBeforeThatGetsTheLockWithALargerToken() {
    hold(false);
    long token = lock.state.hold().token;
    lock.releaseHold();

    lock.enter(1);

    assertThat(lock.state.hold().token).isGreaterThan(token);
    assertThat(lock.effects.claims).hasSize(1);
    mayBeSent();
    isHeldBack();
  }

  @Test
  void whoAsksOnceGetsItToo() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.ONCE, ExclusiveFixture.LEASE));

    assertThat(lock.state.hold()).isNotNull();
    isHeldBack();
  }

  @Test
  void theStoreIsAskedOnceForSeveralReleases() {
    holdAndRelease();
    lock.enter(1);
    lock.releaseHold();
    assertThat(lock.effects.sendsLater).isEqualTo(1);

    mayBeSent();
    isSent();

    holdAndRelease();
    assertThat(lock.effects.sendsLater).isEqualTo(2);
  }

  @Test
  void aStoreWithoutAThreadThatSendsGetsItAtOnce() {
    lock.policy.sendsLater = false;
    holdAndRelease();

    isSent();
  }

  @Test
  void itIsSentAtOnceIfNothingMayPassLocally() {
    lock.maxLocalHandoffs = 0;
    holdAndRelease();

    isSent();
  }

  @Test
  void itIsSentBeforeARequestThatWantsToStandInLine() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.STRICT, ExclusiveFixture.LEASE));

    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.effects.claims).hasSize(2);
    mayBeSent();
    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itIsSentBeforeARequestWithAShorterLease() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.SHARED, ExclusiveFixture.LEASE / 10));

    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.effects.claims).hasSize(2);
  }

  @Test
  void itIsSentAtOnceAfterAHoldInStrictOrder() {
    lock.enter(lock.async(Waiter.Order.STRICT, ExclusiveFixture.LEASE));
    lock.grantLast(false);
    lock.releaseHold();

    isSent();
  }

  @Test
  void itIsSentWhenSomebodyWantsToKnow() {
    holdAndRelease();
    lock.state.sendHeldBack(lock.now);

    isSent();
  }

  @Test
  void itIsSentWhenAnotherClientBeginsToWait() {
    holdAndRelease();
    lock.state.contended(lock.now);

    isSent();
  }

  @Test
  void itIsSentWithTheNextTickIfTheStoreSaysNothing() {
    holdAndRelease();
    lock.tick();

    isSent();
  }

  @Test
  void itIsSentWhenTheTokensAreUsedUp() {
    hold(false);
    for (int i = 1; i < PendingClaims.SHARED_TOKENS; i++) {
      lock.releaseHold();
      isHeldBack();
      lock.enter(1);
    }
    lock.releaseHold();

    isSent();
  }

  @Test
  void itIsHeldBackNoLongerThanAHandOffTakes() {
    hold(false);
    lock.releaseHold();
    isHeldBack();
    lock.enter(1);
    lock.pass(Duration.ofNanos(ExclusiveState.MAX_HELD_BACK_NANOS));
    lock.releaseHold();

    isSent();
  }

  @Test
  void onceOthersWaitItIsHeldBackNoMoreOftenThanTheLockMayPass() {
    lock.maxLocalHandoffs = 3;
    hold(true);
    for (int i = 0; i < 3; i++) {
      lock.releaseHold();
      isHeldBack();
      lock.enter(1);
    }
    lock.releaseHold();

    isSent();
  }

  @Test
  void aLeaseThatEndsMeanwhileIsNobodys() {
    holdAndRelease();
    lock.pass(Duration.ofNanos(ExclusiveFixture.LEASE));

    lock.enter(1);

    assertThat(lock.state.hold()).isNull();
    assertThat(lock.effects.claims).hasSize(2);
  }

  @Test
  void closingSendsIt() {
    holdAndRelease();
    lock.state.close(lock.now);

    isSent();
  }
}

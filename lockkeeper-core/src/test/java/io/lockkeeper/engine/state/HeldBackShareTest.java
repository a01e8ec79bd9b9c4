package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a release of what is shared is held back until the store can send it. */
class HeldBackShareTest {

  private final SharedFixture pool = new SharedFixture(ResourceKind.SEMAPHORE);

  HeldBackShareTest() {
    pool.policy.sendsLater = true;
    pool.effects.wantsEvents = false;
  }

  private Hold holdAndRelease() {
    Hold hold = pool.granted(pool.async(2));
    pool.release(hold);
    return hold;
  }

  private void isHeldBack() {
    assertThat(pool.effects.releases).isEmpty();
  }

  private void isSent() {
    assertThat(pool.effects.releases).hasSize(1);
  }

  private void mayBeSent() {
    pool.state.mayBeSent(pool.now);
    assertThat(pool.state.isSound()).isTrue();
  }

  @Test
  void itIsSentWhenTheStoreCanSend() {
    Hold hold = holdAndRelease();
    isHeldBack();
    assertThat(hold.state).isEqualTo(Hold.State.RELEASED);
    assertThat(pool.effects.sendsLater).isEqualTo(1);

    mayBeSent();

    isSent();
    assertThat(pool.effects.releases.get(0).release().number).isEqualTo(hold.grant.number);
    mayBeSent();
    isSent();
  }

  @Test
  void whoWantsTheSameGoesOnWithTheGrant() {
    Hold first = holdAndRelease();

    Waiter waiter = pool.async(2);

    assertThat(waiter.hold).isNotNull().isNotSameAs(first);
    assertThat(waiter.hold.grant).isSameAs(first.grant);
    assertThat(waiter.hold.token()).isEqualTo(first.grant.firstToken);
    assertThat(pool.effects.claims).hasSize(1);
    mayBeSent();
    isHeldBack();
    pool.release(waiter.hold);
    isSent();
  }

  @Test
  void aThreadFindsWhatItGoesOnWith() {
    Thread thread = Thread.currentThread();
    pool.release(pool.granted(pool.owned(1, thread)));
    assertThat(pool.state.holdOf(thread)).isNull();

    Waiter again = pool.owned(1, thread);

    assertThat(pool.state.holdOf(thread)).isSameAs(again.hold);
    assertThat(pool.state.isHeld(pool.now)).isTrue();
  }

  @Test
  void severalAreHeldBackSideBySide() {
    Hold one = pool.granted(pool.async(1));
    Hold two = pool.granted(pool.async(1));
    pool.release(one);
    pool.release(two);
    isHeldBack();
    assertThat(pool.effects.sendsLater).isEqualTo(1);

    assertThat(pool.async(1).hold).isNotNull();
    assertThat(pool.async(1).hold).isNotNull();

    assertThat(pool.effects.claims).hasSize(2);
    mayBeSent();
    isHeldBack();
  }

  @Test
  void whoWantsSomethingElseComesBehindIt() {
    holdAndRelease();

    Waiter waiter = pool.async(3);

    isSent();
    assertThat(waiter.hold).isNull();
    assertThat(pool.effects.claims).hasSize(2);
  }

  @Test
  void soDoesWhoWantsAnotherTime() {
    holdAndRelease();
    assertThat(pool.async(2, Duration.ofSeconds(10)).hold).isNull();
    isSent();

    holdAndRelease();
    assertThat(pool.fixed(2, Duration.ofSeconds(30)).hold).isNull();
    assertThat(pool.effects.releases).hasSize(2);
  }

  @Test
  void itIsSentAtOnceWhereSomebodyKnowsTheToken() {
    Hold hold = pool.granted(pool.async(2));
    assertThat(hold.token()).isPositive();
    pool.release(hold);

    isSent();
  }

  @Test
  void itIsSentAtOnceWhereSomebodyKnowsTheId() {
    Hold hold = pool.granted(pool.async(2));
    assertThat(hold.name()).isTrue();
    pool.release(hold);

    isSent();
  }

  @Test
  void whoAsksForTheTokenBeforeItIsTakenBackKeepsIt() {
    Hold hold = holdAndRelease();
    assertThat(hold.name()).isTrue();

    assertThat(pool.async(2).hold).isNull();

    isSent();
  }

  @Test
  void whoAsksForTheIdAfterThatIsTold() {
    Hold hold = holdAndRelease();
    Waiter next = pool.async(2);

    assertThat(hold.name()).isFalse();
    assertThat(next.hold.name()).isTrue();
  }

  @Test
  void itIsSentAtOnceWhereEventsTellTheToken() {
    pool.effects.wantsEvents = true;
    holdAndRelease();

    isSent();
  }

  @Test
  void itIsSentAtOnceWhereThePermitsHaveBecomeFewer() {
    Hold hold = pool.granted(pool.async(2));
    pool.state.shrink(hold, 1, pool.now);
    pool.release(hold);

    isSent();
  }

  @Test
  void itIsSentAtOnceAfterAFixedLease() {
    pool.release(pool.granted(pool.fixed(2, Duration.ofSeconds(30))));

    isSent();
  }

  @Test
  void itIsSentAtOnceIfNothingMayPassLocally() {
    pool.maxLocalHandoffs = 0;
    holdAndRelease();

    isSent();
  }

  @Test
  void itIsHeldBackNoLongerThanAHandOffTakes() {
    Hold hold = pool.granted(pool.async(2));
    pool.pass(Duration.ofNanos(ResourceState.MAX_HELD_BACK_NANOS));
    pool.release(hold);

    isSent();
  }

  @Test
  void itIsHeldBackNoMoreOftenThanALockMayPass() {
    pool.maxLocalHandoffs = 3;
    holdAndRelease();
    for (int i = 0; i < 3; i++) {
      isHeldBack();
      pool.release(pool.async(2).hold);
    }

    isSent();
  }

  @Test
  void itIsSentWithTheNextTickIfTheStoreSaysNothing() {
    holdAndRelease();
    pool.state.tick(pool.now, new RecordedRequests());

    isSent();
  }

  @Test
  void aLeaseThatEndsMeanwhileIsNobodys() {
    holdAndRelease();
    pool.pass(Duration.ofNanos(SharedFixture.LEASE));

    assertThat(pool.async(2).hold).isNull();

    assertThat(pool.effects.claims).hasSize(2);
    isSent();
  }

  @Test
  void aGrantOutOfTheQueueMayBeTakenBackToo() {
    Waiter waiter = pool.async(2);
    pool.queued(waiter, 1);
    Grant grant = pool.grant(waiter, false);
    pool.push(grant);
    pool.release(waiter.hold);
    isHeldBack();

    Waiter next = pool.async(2);

    assertThat(next.hold).isNotNull();
    pool.tick();
    assertThat(pool.effects.claims).hasSize(1);
  }

  @Test
  void membersOfABarrierGiveBackAtOnce() {
    SharedFixture barrier = new SharedFixture(ResourceKind.BARRIER);
    barrier.policy.sendsLater = true;
    barrier.granted(barrier.async(1));

    assertThat(barrier.effects.releases).hasSize(1);
  }

  @Test
  void closingSendsIt() {
    holdAndRelease();
    pool.state.close(pool.now);

    isSent();
  }
}

package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a grant that nobody wants is kept. */
class IdleLeaseTest {

  private static final Duration IDLE = Duration.ofSeconds(30);

  private final LockFixture lock = new LockFixture();

  private void hold() {
    lock.idleNanos = IDLE.toNanos();
    lock.enter(1);
    lock.grantLast(false);
  }

  private void holdAndRelease() {
    hold();
    lock.releaseHold();
  }

  @Test
  void itIsKeptAndServesTheNextOneWithALargerToken() {
    hold();
    long token = lock.hold().token;
    lock.releaseHold();

    assertThat(lock.effects.releases).isEmpty();
    lock.enter(1);

    assertThat(lock.hold().token).isGreaterThan(token);
    assertThat(lock.effects.claims).hasSize(1);
  }

  @Test
  void itServesOneWhoDoesNotWait() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.ONCE, LockFixture.LEASE));

    assertThat(lock.hold()).isNotNull();
    assertThat(lock.effects.claims).hasSize(1);
  }

  @Test
  void withoutTheOptionItGoesBackAtOnce() {
    lock.enter(1);
    lock.grantLast(false);
    lock.releaseHold();

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackWhenItsTimeIsOver() {
    holdAndRelease();
    lock.pass(IDLE.minusSeconds(1));
    lock.state.renewAnswered(
        lock.grant(),
        lock.renewal(),
        lock.now,
        Outcome.answered(new RenewAnswer(true, false)),
        lock.now);
    lock.tick();
    assertThat(lock.effects.releases).isEmpty();

    assertThat(lock.state.dueNanos()).isEqualTo(lock.now + Duration.ofSeconds(1).toNanos());
    lock.pass(Duration.ofSeconds(1));
    lock.tick();

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackAtOnceWhenAnotherClientWaits() {
    holdAndRelease();
    lock.state.contended(lock.now);

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itIsNotKeptWhileAnotherClientWaits() {
    lock.idleNanos = IDLE.toNanos();
    lock.enter(1);
    lock.grantLast(true);
    lock.releaseHold();

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackBeforeARequestThatWantsToStandInLine() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.STRICT, LockFixture.LEASE));

    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.effects.claims).hasSize(2);
  }

  @Test
  void itGoesBackBeforeARequestWithAShorterLease() {
    holdAndRelease();

    lock.enter(lock.async(Waiter.Order.SHARED, LockFixture.LEASE / 10));

    assertThat(lock.effects.releases).hasSize(1);
    assertThat(lock.effects.claims).hasSize(2);
  }

  @Test
  void itGoesBackWhenItsTokensAreUsedUp() {
    hold();
    for (int i = 1; i < PendingClaims.SHARED_TOKENS; i++) {
      lock.releaseHold();
      assertThat(lock.effects.releases).isEmpty();
      lock.enter(1);
    }
    lock.releaseHold();

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void itIsNotKeptIfACrashWouldCostMoreThanItMay() {
    lock.idleNanos = IDLE.toNanos() / 2;
    lock.enter(1);
    lock.grantLast(false);
    lock.releaseHold();

    assertThat(lock.effects.releases).hasSize(1);
  }

  @Test
  void aHolderWhoDidNotAskForItEndsIt() {
    holdAndRelease();
    lock.idleNanos = 0;
    lock.enter(1);
    lock.releaseHold();

    assertThat(lock.effects.releases).hasSize(1);
  }
}

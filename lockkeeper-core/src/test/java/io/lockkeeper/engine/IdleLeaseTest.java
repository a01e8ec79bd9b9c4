package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a tenure that nobody wants is kept. */
class IdleLeaseTest {

  private static final Duration IDLE = Duration.ofSeconds(30);

  private final GateFixture gate = new GateFixture();

  private void hold() {
    gate.idleNanos = IDLE.toNanos();
    gate.enter(1);
    gate.grantLast(false);
  }

  private void holdAndRelease() {
    hold();
    gate.releaseHold();
  }

  @Test
  void itIsKeptAndServesTheNextOneWithALargerToken() {
    hold();
    long token = gate.state.hold().token;
    gate.releaseHold();

    assertThat(gate.effects.releases).isEmpty();
    gate.enter(1);

    assertThat(gate.state.hold().token).isGreaterThan(token);
    assertThat(gate.effects.claims).hasSize(1);
  }

  @Test
  void itServesOneWhoDoesNotWait() {
    holdAndRelease();

    gate.enter(gate.async(Waiter.Order.ONCE, GateFixture.LEASE));

    assertThat(gate.state.hold()).isNotNull();
    assertThat(gate.effects.claims).hasSize(1);
  }

  @Test
  void withoutTheOptionItGoesBackAtOnce() {
    gate.enter(1);
    gate.grantLast(false);
    gate.releaseHold();

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackWhenItsTimeIsOver() {
    holdAndRelease();
    gate.pass(IDLE.minusSeconds(1));
    gate.state.extended(
        gate.state.tenure(), gate.renewal(), gate.now, false, gate.now); // as a renewal would
    gate.tick();
    assertThat(gate.effects.releases).isEmpty();

    assertThat(gate.state.dueNanos()).isEqualTo(gate.now + Duration.ofSeconds(1).toNanos());
    gate.pass(Duration.ofSeconds(1));
    gate.tick();

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackAtOnceWhenAnotherClientWaits() {
    holdAndRelease();
    gate.state.wanted(gate.now);

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void itIsNotKeptWhileAnotherClientWaits() {
    gate.idleNanos = IDLE.toNanos();
    gate.enter(1);
    gate.grantLast(true);
    gate.releaseHold();

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void itGoesBackBeforeARequestThatWantsToStandInLine() {
    holdAndRelease();

    gate.enter(gate.async(Waiter.Order.STRICT, GateFixture.LEASE));

    assertThat(gate.effects.releases).hasSize(1);
    assertThat(gate.effects.claims).hasSize(2);
  }

  @Test
  void itGoesBackBeforeARequestWithAShorterLease() {
    holdAndRelease();

    gate.enter(gate.async(Waiter.Order.SHARED, GateFixture.LEASE / 10));

    assertThat(gate.effects.releases).hasSize(1);
    assertThat(gate.effects.claims).hasSize(2);
  }

  @Test
  void itGoesBackWhenItsTokensAreUsedUp() {
    hold();
    for (int i = 1; i < ClaimDesk.SHARED_TOKENS; i++) {
      gate.releaseHold();
      assertThat(gate.effects.releases).isEmpty();
      gate.enter(1);
    }
    gate.releaseHold();

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void itIsNotKeptIfACrashWouldCostMoreThanItMay() {
    gate.idleNanos = IDLE.toNanos() / 2;
    gate.enter(1);
    gate.grantLast(false);
    gate.releaseHold();

    assertThat(gate.effects.releases).hasSize(1);
  }

  @Test
  void aHolderWhoDidNotAskForItEndsIt() {
    holdAndRelease();
    gate.idleNanos = 0;
    gate.enter(1);
    gate.releaseHold();

    assertThat(gate.effects.releases).hasSize(1);
  }
}

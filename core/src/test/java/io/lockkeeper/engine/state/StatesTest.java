package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The states that only go one way, and the types that are complete. */
class StatesTest {

  private static final LeaseLost LOSS =
      new LeaseLost(ResourceKind.LOCK, "a", 1, LeaseLost.Reason.EXPIRED);

  private static Waiter waiter() {
    Waiter.Terms terms = new Waiter.Terms(1, false, 0, 0, Instants.NEVER);
    return new Waiter(Waiter.Order.SHARED, terms, null, null, null);
  }

  private static CurrentGrant grant(int tokens) {
    ClaimRequest request = new ClaimRequest(ResourceId.lock("a"), 1, 30_000, tokens, true);
    long since = 100 - ClockDrift.validUntil(0, Duration.ofSeconds(30).toNanos());
    return new CurrentGrant(ScriptedStore.obliging().grant(request), since, 0);
  }

  private static Hold hold() {
    return waiter().makeHold(grant(1), 1, 0, Instants.NEVER);
  }

  private static void put(Waiter waiter, Waiter.State state) {
    switch (state) {
      case WAITING, LEAVING -> {}
      case GRANTED -> waiter.grant(hold());
      case FAILED -> waiter.fail(new LockkeeperClosedException("closed"));
      case LEFT -> waiter.leave();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Waiter.State.class,
      names = {"GRANTED", "FAILED", "LEFT"})
  void aRequestThatIsOverStaysAsItIs(Waiter.State end) {
    Waiter waiter = waiter();
    put(waiter, end);

    for (Waiter.State next :
        List.of(Waiter.State.GRANTED, Waiter.State.FAILED, Waiter.State.LEFT)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> put(waiter, next))
          .withMessage("a request cannot leave the state " + end);
    }
    assertThat(waiter.state).isEqualTo(end);
  }

  @Test
  void aHoldThatIsOverStaysAsItIs() {
    List<Consumer<Hold>> ends = List.of(hold -> hold.release(1), hold -> hold.lose(LOSS, 1));
    for (Consumer<Hold> end : ends) {
      Hold hold = hold();
      end.accept(hold);
      Hold.State reached = hold.state;
      for (Consumer<Hold> again : ends) {
        assertThatIllegalStateException()
            .isThrownBy(() -> again.accept(hold))
            .withMessage("a hold cannot leave the state " + reached);
      }
      assertThat(hold.state).isEqualTo(reached);
    }
  }

  @Test
  void aHoldIsValidOnlyWhileHeldAndBeforeItsEnd() {
    Hold hold = hold();
    assertThat(hold.isValid(99)).isTrue();
    assertThat(hold.isValid(100)).isFalse();
    Hold fixed = new Hold(grant(1), null, null, 1, 50, true, 1, 0, 50);
    assertThat(fixed.isValid(49)).isTrue();
    assertThat(fixed.isValid(50)).isFalse();
    Hold released = hold();
    released.release(1);
    assertThat(released.isValid(0)).isFalse();
  }

  @Test
  void whatSomebodyHasSeenOverStaysOver() {
    Hold fixed = new Hold(grant(1), null, null, 1, 50, true, 1, 0, 50);
    assertThat(fixed.endAt(60)).isTrue();
    assertThat(fixed.isValid(59)).isTrue();
    assertThat(fixed.isValid(60)).isFalse();
    assertThat(fixed.endAt(90)).isFalse();
    assertThat(fixed.isValid(59)).isFalse();
    assertThat(fixed.grant.extend(200)).as("which was not over").isTrue();
    assertThat(fixed.grant.isValid(200)).isFalse();
    assertThat(fixed.grant.extend(300)).isFalse();
    assertThat(fixed.grant.isValid(150)).isFalse();
  }

  @Test
  void aGrantGivesOutItsTokensInOrderAndNoMore() {
    CurrentGrant grant = grant(2);

    assertThat(grant.nextToken()).isEqualTo(grant.firstToken);
    assertThat(grant.nextToken()).isEqualTo(grant.lastToken);
    assertThatIllegalStateException().isThrownBy(grant::nextToken);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        LockkeeperException.class,
        Outcome.class,
        ClaimAnswer.class,
        PollAnswer.class,
        io.lockkeeper.LockEvent.class
      })
  void whatHasAFixedNumberOfKindsIsSealed(Class<?> type) {
    assertThat(type.isSealed()).isTrue();
  }

  @Test
  void aGrantWithAnEmptyBlockOfTokensIsImpossible() {
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> new Grant(1, List.of(1L), 5, 4, 0, 1, false, true))
        .withMessage("token block 5..4");
  }
}

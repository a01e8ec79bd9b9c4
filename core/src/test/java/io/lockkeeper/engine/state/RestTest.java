package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LeaseLostException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a lock is given back that is to stay closed for a while. */
class RestTest {

  private static final Duration REST = Duration.ofSeconds(10);

  private final LockFixture lock = new LockFixture();

  private final RecordedCompletion told = new RecordedCompletion();

  private PendingRelease rest() {
    lock.state.rest(lock.hold(), REST.toNanos(), told, lock.now);
    assertThat(lock.state.isSound()).isTrue();
    return lock.lastRelease().release();
  }

  @Test
  void itGoesBackAlthoughOthersWaitHereAndTheyClaimAnew() {
    lock.enter(1);
    lock.grantLast(false);
    Waiter waiting = lock.enter(lock.async());

    PendingRelease release = rest();

    assertThat(release.restMillis(lock.now)).isEqualTo(REST.toMillis());
    assertThat(lock.lastRelease().requeue()).isNull();
    assertThat(lock.hold()).isNull();
    assertThat(waiting.isWaiting()).isTrue();
    assertThat(lock.effects.claims).hasSize(2);
  }

  @Test
  void theClaimsOfARunThatWereNotServedAreMadeAnew() {
    lock.enter(lock.async(Waiter.Order.STRICT, LockFixture.LEASE));
    Waiter second = lock.enter(lock.async(Waiter.Order.STRICT, LockFixture.LEASE));
    lock.push(List.copyOf(lock.effects.claims), false);

    rest();

    assertThat(second.isWaiting()).isTrue();
    assertThat(lock.effects.claims).hasSize(3);
  }

  @Test
  void whatIsAskedAgainAsksForWhatIsLeftOfTheRest() {
    lock.enter(1);
    lock.grantLast(false);
    PendingRelease release = rest();
    lock.pass(Duration.ofSeconds(4));

    assertThat(release.restMillis(lock.now)).isEqualTo(6_000);
    assertThat(release.restMillis(lock.now + 1)).isEqualTo(6_000);
    lock.pass(Duration.ofSeconds(6));
    assertThat(release.restMillis(lock.now)).isZero();
  }

  @Test
  void itIsKnownThatItDoesNotRestIfTheRequestCameToNothing() {
    lock.enter(1);
    lock.grantLast(false);
    PendingRelease release = rest();

    answer(release, Outcome.unknown(new IllegalStateException("lost")));
    assertThat(told.done).isFalse();
    answer(release, Outcome.answered(new ReleaseAnswer(false, null, null)));

    assertThat(told.failure).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aRestThatIsOverWhenTheAnswerComesIsNoLoss() {
    lock.enter(1);
    lock.grantLast(false);
    PendingRelease release = rest();

    answer(release, Outcome.unknown(new IllegalStateException("lost")));
    lock.pass(REST);
    answer(release, Outcome.answered(new ReleaseAnswer(false, null, null)));

    assertThat(told.done).isTrue();
    assertThat(told.failure).isNull();
  }

  private void answer(PendingRelease release, Outcome<ReleaseAnswer> outcome) {
    lock.state.releaseAnswered(release, null, lock.now, outcome, lock.now);
  }
}

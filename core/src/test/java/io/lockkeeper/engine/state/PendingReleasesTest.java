package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Releases without an answer: that of a grant under the number of an earlier one, which a late copy
 * of a claim can bring about, and the withdrawal of a claim that was refused.
 */
class PendingReleasesTest {

  private final LockFixture lock = new LockFixture();

  /** Has a claim granted, and its grant given back. */
  private Claim released() {
    lock.enter(1);
    Claim claim = lock.lastClaim();
    lock.grantLast(false);
    lock.state.rest(
        lock.hold(), Duration.ofSeconds(10).toNanos(), new RecordedCompletion(), lock.now);
    return claim;
  }

  @Test
  void theReleaseOfTheLaterGrantIsNotConfirmedByTheAnswerToTheEarlierOne() {
    Claim early = released();
    PendingRelease earlier = lock.lastRelease().release();
    lock.enter(1);
    lock.push(List.of(early, lock.lastClaim()), false);
    CurrentGrant grant = lock.grant();

    lock.releaseHold();
    RecordedCompletion heard = new RecordedCompletion();
    assertThat(lock.state.awaitConfirmation(grant, heard)).isTrue();
    PendingRelease later = lock.lastRelease().release();

    assertThat(later.number()).isEqualTo(earlier.number());
    answer(earlier);
    assertThat(heard.done).isFalse();
    answer(later);
    assertThat(heard.done).isTrue();
    assertThat(heard.failure).isNull();
  }

  @Test
  void theLaterGrantIsGivenBackIfNobodyWaitsForIt() {
    Claim early = released();
    PendingRelease earlier = lock.lastRelease().release();

    lock.push(List.of(early), false);

    assertThat(lock.lastRelease().release()).isNotSameAs(earlier);
    assertThat(lock.lastRelease().release().number()).isEqualTo(earlier.number());
  }

  /** Otherwise a client with a name that the store cannot keep would wait to close. */
  @Test
  void aWithdrawalEndsWithItsRefusalIfTheClaimWasRefusedToo() {
    lock.enter(1);
    refuseClaim(lock.lastClaim());
    refuseWithdrawal();

    assertThat(lock.state.isIdle()).isTrue();
  }

  @Test
  void aWithdrawalIsSentAgainIfTheClaimMayHaveBeenCarriedOut() {
    lock.enter(1);
    Claim claim = lock.lastClaim();
    lock.state.claimAnswered(claim, lock.now, Outcome.unknown(new Exception("late")), lock.now);
    refuseClaim(claim);
    refuseWithdrawal();
    lock.pass(Duration.ofSeconds(10));
    lock.tick();

    assertThat(lock.effects.withdrawals).hasSize(2);
  }

  private void refuseClaim(Claim claim) {
    lock.state.claimAnswered(claim, lock.now, Outcome.refused(StoreProblem.DENIED, "no"), lock.now);
  }

  private void refuseWithdrawal() {
    assertThat(lock.effects.withdrawals).hasSize(1);
    lock.state.withdrawAnswered(
        lock.effects.withdrawals.get(0), Outcome.refused(StoreProblem.DENIED, "no"), lock.now);
  }

  private void answer(PendingRelease release) {
    Outcome<ReleaseAnswer> outcome = Outcome.answered(new ReleaseAnswer(true, null, null));
    lock.state.releaseAnswered(release, null, lock.now, outcome, lock.now);
  }
}

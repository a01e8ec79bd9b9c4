package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a client writes the name of the thread that holds, and when it takes the name back. */
class HolderNameTest {

  private static final Duration THIRD = Duration.ofNanos(LockFixture.LEASE / 3);

  private final LockFixture lock = new LockFixture();
  private final RecordedRequests due = new RecordedRequests();

  private Waiter enter(String thread) {
    Waiter waiter = lock.blocked(Waiter.Order.SHARED, LockFixture.LEASE);
    waiter.thread.setName(thread);
    return lock.enter(waiter);
  }

  /** Sends the renewals that are due, and returns the labels that they give. */
  private List<@Nullable String> renew(boolean isAnswered) {
    lock.state.tick(lock.now, due);
    List<@Nullable String> labels = new ArrayList<>();
    for (RenewRequest request : due.takeRenewals()) {
      labels.add(request.label());
      Outcome<RenewAnswer> outcome =
          isAnswered
              ? Outcome.answered(new RenewAnswer(true, false))
              : new Outcome.Unknown<>(new IllegalStateException("no answer"));
      lock.state.renewAnswered(lock.grant(), request, lock.now, outcome, lock.now);
    }
    return labels;
  }

  @Test
  void theRenewalOfALastingHoldNamesItsThreadOnce() {
    enter("first");
    lock.grantLast(false);
    assertThat(lock.lastClaim().request.label()).as("it may pass on").isEmpty();

    lock.pass(THIRD);
    assertThat(renew(true)).containsExactly("first");
    lock.pass(THIRD);
    assertThat(renew(true)).as("the store knows").hasSize(1).containsOnlyNulls();
  }

  @Test
  void aNameIsTakenBackAtOnceWhenItsThreadHandsOffAndTheNextIsNamedLater() {
    enter("first");
    lock.grantLast(false);
    lock.pass(THIRD);
    renew(true);
    Waiter second = enter("second");

    lock.releaseHold();
    lock.look(second);
    assertThat(renew(true)).containsExactly("");
    lock.pass(THIRD);
    assertThat(renew(true)).containsExactly("second");
  }

  @Test
  void passingOnQuicklyCostsNoRequest() {
    for (int i = 0; i < 10; i++) {
      lock.enter(lock.async());
    }
    lock.grantLast(false);
    lock.pass(THIRD);
    assertThat(renew(true)).hasSize(1);
    lock.releaseHold();
    assertThat(renew(true)).as("the thread that was named has gone").hasSize(1);

    for (int i = 0; i < 8; i++) {
      lock.releaseHold();
      assertThat(renew(true)).isEmpty();
    }
  }

  @Test
  void aNameWhoseRenewalHadNoAnswerIsWrittenAgain() {
    enter("first");
    lock.grantLast(false);
    lock.pass(THIRD);
    assertThat(renew(false)).containsExactly("first");

    lock.pass(THIRD);
    assertThat(renew(true)).containsExactly("first");
  }

  @Test
  void aClaimThatNamesItsThreadNeedsNoName() {
    lock.maxLocalHandoffs = 0;
    enter("first");
    lock.grantLast(false);
    assertThat(lock.lastClaim().request.label()).isEqualTo("first");

    lock.pass(THIRD);
    assertThat(renew(true)).hasSize(1).containsOnlyNulls();
  }
}

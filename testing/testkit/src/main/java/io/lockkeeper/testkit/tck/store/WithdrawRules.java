package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import org.junit.jupiter.api.Test;

/** Claims taken back. */
interface WithdrawRules extends StoreRules {

  @Test
  default void aWithdrawnClaimLeavesTheQueue() {
    StoreClient holder = client();
    StoreClient waiter = client();
    StoreClient next = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    next.queue(1);

    waiter.withdraw(1);

    waiter.lookGone(1);
    assertThat(holder.inspect().waiting()).isEqualTo(1);
    holder.release(grant);
    next.lookGranted(1);
  }

  @Test
  default void aWithdrawnClaimLeavesItsRunAndTheRestGoesOn() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);
    holder.release(grant);
    Grant run = waiter.lookGranted(1);

    waiter.withdraw(1);

    Grant rest = waiter.lookGranted(2);
    assertThat(rest.grant()).isEqualTo(1);
    assertThat(rest.firstToken()).isEqualTo(run.firstToken());
    assertThat(rest.lastToken()).isEqualTo(run.lastToken());
    assertThat(waiter.renew(rest, LEASE_MILLIS).renewed()).isTrue();
    assertThat(waiter.release(rest).released()).isTrue();
  }

  @Test
  default void theLastWithdrawalOfARunReleasesItAndLetsTheNextIn() {
    StoreClient holder = client();
    StoreClient waiter = client();
    StoreClient next = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);
    next.queue(1);
    holder.release(grant);

    waiter.withdraw(2);
    waiter.withdraw(1);

    waiter.lookGone(1);
    next.lookGranted(1);
  }

  @Test
  default void withdrawingAClaimThatWasGrantedAtOnceReleasesIt() {
    StoreClient client = client();
    client.claim(1);

    client.withdraw(1);

    assertThat(client.inspect().holder()).isNull();
  }

  @Test
  default void withdrawingAnUnknownClaimIsFine() {
    StoreClient holder = client();
    holder.claim(1);

    holder.withdraw(99);
    client().withdraw(1);
    holder.on(ResourceId.lock("never seen")).withdraw(5);

    holder.lookGranted(1);
  }

  @Test
  default void aRepeatedWithdrawalHasNoFurtherEffect() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);

    waiter.withdraw(1);
    waiter.withdraw(1);

    waiter.lookQueued(2);
    assertThat(holder.inspect().waiting()).isEqualTo(1);
  }

  /** A store may have read no more than the first of a long queue. */
  @Test
  default void aClaimFarBehindIsWithdrawnThoughTheQueueHasChanged() {
    StoreClient holder = client();
    StoreClient others = client();
    StoreClient waiter = client();
    holder.claim(1);
    waiter.queue(1);
    for (int claim = 1; claim <= LONG_QUEUE; claim++) {
      others.queue(claim);
    }
    waiter.queue(2);
    waiter.lookQueued(2);
    others.queue(LONG_QUEUE + 1);

    waiter.withdraw(2);

    waiter.lookGone(2);
    waiter.lookQueued(1);
    assertThat(holder.inspect().waiting()).isEqualTo(LONG_QUEUE + 2);
  }

  @Test
  default void aWithdrawnClaimThatComesBackIsLast() {
    StoreClient holder = client();
    StoreClient waiter = client();
    StoreClient other = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    other.queue(1);
    waiter.withdraw(1);
    waiter.queue(1);

    holder.release(grant);

    other.lookGranted(1);
  }
}

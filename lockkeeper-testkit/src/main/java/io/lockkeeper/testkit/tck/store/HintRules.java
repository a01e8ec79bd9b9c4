package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a store in good health pushes. */
interface HintRules extends StoreRules {

  @Test
  default void aClientIsToldOfItsGrantOutOfTheQueue() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(waiter.request(5, LEASE_MILLIS, 2));
    waiter.queue(6);

    holder.release(grant);

    Grant heard = Objects.requireNonNull(waiter.awaitHint("granted").grant());
    Grant truth = waiter.lookGranted(5);
    assertThat(heard.grant()).isEqualTo(truth.grant());
    assertThat(heard.claims()).isEqualTo(truth.claims());
    assertThat(heard.firstToken()).isEqualTo(truth.firstToken());
    assertThat(heard.lastToken()).isEqualTo(truth.lastToken());
    assertThat(heard.leaseMicros()).isEqualTo(CLAIM_DEADLINE_MILLIS * 1_000);
    assertThat(heard.confirmed()).isFalse();
    assertThat(heard.othersWait()).isFalse();
  }

  @Test
  default void aGrantSaysThatOthersWait() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    client().queue(1);

    holder.release(grant);

    Grant heard = Objects.requireNonNull(waiter.awaitHint("granted").grant());
    assertThat(heard.othersWait()).isTrue();
  }

  @Test
  default void aClientIsToldOfAGrantThatAnExpiryMadePossible() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, SHORT_MILLIS, 1));
    waiter.queue(1);
    passBeyond(SHORT_MILLIS);

    client().look(1);

    waiter.awaitHint("granted");
  }

  @Test
  default void aHolderWithTokensToSpareIsToldOfTheFirstOtherClientThatWaits() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));

    waiter.queue(1);

    holder.awaitHint("wanted");
  }

  @Test
  default void aHolderWithoutTokensToSpareIsNotToldThatItIsWanted() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(1);

    waiter.queue(1);
    waiter.lookQueued(1);

    exchangeHints(holder);
    assertThat(holder.hasHeard("wanted")).isFalse();
  }

  @Test
  default void aHolderIsNotToldOfItsOwnClaims() {
    StoreClient holder = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));

    holder.queue(2);
    holder.lookGranted(2);

    exchangeHints(holder);
    assertThat(holder.hasHeard("wanted")).isFalse();
  }

  @Test
  default void aHolderIsToldEvenIfItsOwnClaimsWaitedBefore() {
    StoreClient holder = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    holder.queue(2);

    client().queue(1);

    holder.awaitHint("wanted");
  }

  @Test
  default void aHolderIsToldAgainWhenTheQueueWasEmptyInBetween() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    waiter.queue(1);
    holder.awaitHint("wanted");
    waiter.withdraw(1);
    holder.forgetHints();

    waiter.queue(2);

    holder.awaitHint("wanted");
  }

  @Test
  default void aLookOfTheFirstWaiterTellsTheHolderAgain() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    waiter.queue(1);
    holder.awaitHint("wanted");
    holder.forgetHints();

    waiter.lookQueued(1);

    holder.awaitHint("wanted");
  }

  @Test
  default void aDeadWaiterDoesNotKeepTheHolderFromBeingTold() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    StoreClient dead = client();
    dead.queue(1);
    holder.awaitHint("wanted");
    dies(dead);
    passBeyond(HEARTBEAT_MILLIS);
    holder.forgetHints();

    waiter.queue(1);
    waiter.lookQueued(1);

    holder.awaitHint("wanted");
  }

  @Test
  default void aHolderIsToldOfAForcedRelease() {
    StoreClient holder = client();
    holder.claim(1);

    client().forceRelease();

    holder.awaitHint("revoked");
  }

  /** Has a later hint reach the client: one sent before would have come by now. */
  private void exchangeHints(StoreClient client) {
    StoreClient other = client().on(ResourceId.lock("exchange"));
    Grant grant = other.claim(1);
    client.on(ResourceId.lock("exchange")).queue(1_000);
    other.release(grant);
    client.on(ResourceId.lock("exchange")).awaitHint("granted");
  }
}

package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The notifications of a store in good health. */
interface NotificationRules extends StoreRules {

  @Tag("driver")
  @Test
  default void aClientIsToldOfItsGrantOutOfTheQueue() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(waiter.request(5, LEASE_MILLIS, 2));
    waiter.queue(6);

    holder.release(grant);

    Grant heard = Objects.requireNonNull(waiter.awaitNotification("granted").grant());
    Grant truth = waiter.lookGranted(5);
    assertThat(heard.grant()).isEqualTo(truth.grant());
    assertThat(heard.claims()).isEqualTo(truth.claims());
    assertThat(heard.firstToken()).isEqualTo(truth.firstToken());
    assertThat(heard.lastToken()).isEqualTo(truth.lastToken());
    assertThat(heard.leaseMicros()).isEqualTo(CLAIM_DEADLINE_MILLIS * 1_000);
    assertThat(heard.confirmed()).isFalse();
    assertThat(heard.othersWait()).isFalse();
  }

  @Tag("driver")
  @Test
  default void whoIsGrantedIsToldThatOthersWait() {
    StoreClient holder = client();
    StoreClient waiter = client();
    StoreClient other = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    other.queue(1);

    holder.release(grant);

    Grant heard = Objects.requireNonNull(waiter.awaitNotification("granted").grant());
    if (!heard.othersWait()) { // a store may tell the grant before it knows of the others
      waiter.awaitNotification("contended");
    }
  }

  @Tag("driver")
  @Test
  default void aClientIsToldOfAGrantThatAnExpiryMadePossible() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, KEPT_MILLIS, 1));
    waiter.queue(1);
    passBeyond(KEPT_MILLIS);

    client().poll(1);

    waiter.awaitNotification("granted");
  }

  @Tag("driver")
  @Test
  default void aHolderWithTokensToSpareIsToldOfTheFirstOtherClientThatWaits() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));

    waiter.queue(1);

    holder.awaitNotification("contended");
  }

  @Tag("driver")
  @Test
  default void aHolderWithoutTokensToSpareIsNotToldThatItIsContended() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(1);

    waiter.queue(1);
    waiter.lookQueued(1);

    exchangeNotifications(holder);
    assertThat(holder.hasHeard("contended")).isFalse();
  }

  @Tag("driver")
  @Test
  default void aHolderIsNotToldOfItsOwnClaims() {
    StoreClient holder = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));

    holder.queue(2);
    holder.lookGranted(2);

    exchangeNotifications(holder);
    assertThat(holder.hasHeard("contended")).isFalse();
  }

  @Tag("driver")
  @Test
  default void aHolderIsToldEvenIfItsOwnClaimsWaitedBefore() {
    StoreClient holder = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    holder.queue(2);

    client().queue(1);

    holder.awaitNotification("contended");
  }

  @Tag("driver")
  @Test
  default void aHolderIsToldAgainWhenTheQueueWasEmptyInBetween() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    waiter.queue(1);
    holder.awaitNotification("contended");
    waiter.withdraw(1);
    holder.forgetNotifications();

    waiter.queue(2);

    holder.awaitNotification("contended");
  }

  @Tag("driver")
  @Test
  default void aLookOfTheFirstWaiterTellsTheHolderAgain() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    waiter.queue(1);
    holder.awaitNotification("contended");
    holder.forgetNotifications();

    waiter.lookQueued(1);

    holder.awaitNotification("contended");
  }

  @Tag("driver")
  @Test
  default void aDeadWaiterDoesNotKeepTheHolderFromBeingTold() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient waiter = client(SHORT_HEARTBEAT);
    holder.claim(holder.request(1, LEASE_MILLIS, 65));
    StoreClient dead = client(SHORT_HEARTBEAT);
    dead.queue(1);
    holder.awaitNotification("contended");
    dies(dead);
    passBeyond(HEARTBEAT_MILLIS);
    holder.forgetNotifications();

    waiter.queue(1);
    waiter.lookQueued(1);

    holder.awaitNotification("contended");
  }

  @Tag("driver")
  @Test
  default void aHolderIsToldOfAForcedRelease() {
    StoreClient holder = client();
    holder.claim(1);

    client().forceRelease();

    holder.awaitNotification("revoked");
  }

  /** Makes a later notification reach the client: one sent before would have come by now. */
  private void exchangeNotifications(StoreClient client) {
    StoreClient other = client().on(ResourceId.lock("exchange"));
    Grant grant = other.claim(1);
    client.on(ResourceId.lock("exchange")).queue(1_000);
    other.release(grant);
    client.on(ResourceId.lock("exchange")).awaitNotification("granted");
  }
}

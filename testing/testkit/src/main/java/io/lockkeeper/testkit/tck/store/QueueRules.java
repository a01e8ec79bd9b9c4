package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The order in which claims are admitted, and who is passed over. */
interface QueueRules extends StoreRules {

  @Test
  default void theEndOfAGrantLetsTheFirstClaimInInTheSameStep() {
    StoreClient holder = client();
    StoreClient first = client();
    StoreClient second = client();
    Grant grant = holder.claim(1);
    first.queue(1);
    second.queue(1);

    holder.release(grant);

    assertHolder(holder, first);
    assertThat(holder.inspect().waiting()).isEqualTo(1);
  }

  @Test
  default void claimsAreLetInInOrderOfArrival() {
    StoreClient a = client();
    StoreClient b = client();
    StoreClient c = client();
    Grant current = a.claim(1);
    Queued b1 = b.queue(1);
    Queued c1 = c.queue(1);
    Queued a2 = a.queue(2);
    Queued b2 = b.queue(2);

    assertThat(b1.arrival()).isLessThan(c1.arrival());
    assertThat(c1.arrival()).isLessThan(a2.arrival());
    assertThat(a2.arrival()).isLessThan(b2.arrival());
    a.release(current);
    assertThat(b.lookGranted(1).grant()).isEqualTo(1);
    b.release(b.lookGranted(1));
    c.release(c.lookGranted(1));
    assertThat(a.lookGranted(2).grant()).isEqualTo(2);
    a.release(a.lookGranted(2));
    assertThat(b.lookGranted(2).grant()).isEqualTo(2);
  }

  @Test
  default void claimsSentBehindAReleaseHaveTheArrivalsThatTheyKeep() {
    assertArrivalsBehindARelease(client(), client(), Share.EXCLUSIVE);
  }

  @Test
  default void aClaimThatIsAdmittedAsItArrivesComesAfterThoseBeforeIt() {
    assertArrivalWithARelease(client(), Share.EXCLUSIVE, Share.EXCLUSIVE);
  }

  @Test
  default void aNewClaimDoesNotOvertakeOneThatWaits() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    holder.release(grant);

    holder.queue(2);

    assertHolder(holder, waiter);
  }

  @Test
  default void aDeadWaiterIsPassedOver() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient dead = client(SHORT_HEARTBEAT);
    StoreClient alive = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    dead.queue(1);
    dies(dead);
    passBeyond(HEARTBEAT_MILLIS / 2);
    alive.queue(1);
    passBeyond(HEARTBEAT_MILLIS / 2);

    holder.release(grant);

    assertHolder(holder, alive);
  }

  @Test
  default void aLookKeepsAWaitingClaimAlive() {
    outlivesTheHeartbeatBy(waiter -> waiter.lookQueued(1));
  }

  @Test
  default void aRepeatedClaimKeepsAWaitingClaimAlive() {
    outlivesTheHeartbeatBy(waiter -> waiter.queue(1));
  }

  @Test
  default void anotherClaimOfTheClientKeepsAWaitingClaimAlive() {
    outlivesTheHeartbeatBy(waiter -> waiter.queue(2));
  }

  private void outlivesTheHeartbeatBy(Consumer<StoreClient> sign) {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient waiter = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    waiter.queue(1);
    for (int i = 0; i < 3; i++) {
      passBeyond(HEARTBEAT_MILLIS / 4); // a slow server still gets it in time
      sign.accept(waiter);
    }
    passBeyond(HEARTBEAT_MILLIS / 4);

    holder.release(grant);

    assertHolder(holder, waiter);
  }

  @Test
  default void aHeartbeatIsForOneResource() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient waiter = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    holder.on(ResourceId.lock("other")).claim(2);
    waiter.queue(1);
    waiter.on(ResourceId.lock("other")).queue(2);
    passBeyond(HEARTBEAT_MILLIS / 2);
    waiter.on(ResourceId.lock("other")).lookQueued(2);
    passBeyond(HEARTBEAT_MILLIS / 2);

    holder.release(grant);

    assertPassedAsSilent(waiter, 1);
    assertThat(holder.on(ResourceId.lock("other")).inspect().waiting()).isEqualTo(1);
  }

  @Test
  default void lookingAtADeadClaimBeforeAnybodyPassesItKeepsItsPlace() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient late = client(SHORT_HEARTBEAT);
    StoreClient other = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    Queued place = late.queue(1);
    passBeyond(HEARTBEAT_MILLIS);
    other.queue(1);

    assertThat(late.lookQueued(1).arrival()).isEqualTo(place.arrival());
    holder.release(grant);
    assertHolder(holder, late);
  }

  @Test
  default void behindDeadWaitersOnlyAClaimIsGrantedAtOnce() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    for (int i = 0; i < 2; i++) {
      StoreClient dead = client(SHORT_HEARTBEAT);
      dead.queue(1);
      dies(dead);
    }
    passBeyond(HEARTBEAT_MILLIS);
    holder.release(grant);

    assertThat(client(SHORT_HEARTBEAT).claim(1).confirmed()).isTrue();
    assertThat(holder.inspect().waiting()).isZero();
  }

  @Test
  default void anExpiredGrantIsNoticedByAClaim() {
    expiryIsNoticedBy(passer -> passer.queue(9));
  }

  @Test
  default void anExpiredGrantIsNoticedByALook() {
    expiryIsNoticedBy(passer -> passer.lookGone(9));
  }

  @Test
  default void anExpiredGrantIsNoticedByARenewal() {
    expiryIsNoticedBy(
        passer -> {
          Grant other = new Grant(9, List.of(9L), 1, 1, 0, 1, false, true);
          assertThat(passer.renew(other, LEASE_MILLIS).renewed()).isFalse();
        });
  }

  @Test
  default void anExpiredGrantIsNoticedByAWithdrawal() {
    expiryIsNoticedBy(passer -> passer.withdraw(9));
  }

  @Test
  default void anExpiredGrantIsNoticedByARelease() {
    expiryIsNoticedBy(
        passer -> {
          Grant other = new Grant(9, List.of(9L), 1, 1, 0, 1, false, true);
          assertThat(passer.release(other).released()).isFalse();
        });
  }

  @Test
  default void anExpiredGrantIsNoticedByAForcedRelease() {
    expiryIsNoticedBy(passer -> assertThat(passer.forceRelease()).isFalse());
  }

  private void expiryIsNoticedBy(Consumer<StoreClient> passing) {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, KEPT_MILLIS, 1));
    waiter.queue(1);
    passBeyond(KEPT_MILLIS);

    passing.accept(client());

    assertHolder(holder, waiter);
  }

  @Test
  default void anExpiredGrantIsOver() {
    StoreClient holder = client();
    Grant grant = holder.claim(holder.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    holder.lookGone(1);
    Grant next = client().claim(1);
    assertThat(next.firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void aGrantOutOfTheQueueHasOnlyTheClaimDeadline() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    holder.release(grant);

    Grant granted = waiter.lookGranted(1);

    assertThat(granted.confirmed()).isFalse();
    assertThat(granted.leaseMicros())
        .isPositive()
        .isLessThanOrEqualTo(CLAIM_DEADLINE_MILLIS * 1_000);
  }

  @Test
  default void aGrantOutOfTheQueueThatNobodyConfirmsGoesToTheNext() {
    StoreClient holder = client(SHORT_CLAIM_DEADLINE);
    StoreClient dead = client(SHORT_CLAIM_DEADLINE);
    StoreClient next = client(SHORT_CLAIM_DEADLINE);
    Grant grant = holder.claim(1);
    dead.queue(1);
    next.queue(1);
    holder.release(grant);
    passBeyond(KEPT_MILLIS);

    assertThat(next.lookGranted(1).grant()).isEqualTo(1);
    dead.lookGone(1);
  }

  @Test
  default void aLeaseShorterThanTheClaimDeadlineIsNotMadeLongerByIt() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(waiter.request(1, 100, 1));

    holder.release(grant);

    Inspection found = holder.inspect();
    Inspection.Holder after = found.holder();
    assertThat(after == null ? 0 : after.leaseMicros()).isLessThanOrEqualTo(100_000);
  }

  @Test
  default void aClientThatStopsCallingLosesItsPlaceOnlyWhenSomebodyElseIsServed() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient waiter = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    waiter.queue(1);
    pass(Duration.ofMillis(HEARTBEAT_MILLIS + MARGIN_MILLIS));
    holder.release(grant);

    assertPassedAsSilent(waiter, 1);
  }

  private static void assertHolder(StoreClient observer, StoreClient expected) {
    Inspection.Holder holder = observer.inspect().holder();
    assertThat(holder).isNotNull();
    assertThat(Objects.requireNonNull(holder).clientId()).isEqualTo(expected.id());
  }
}

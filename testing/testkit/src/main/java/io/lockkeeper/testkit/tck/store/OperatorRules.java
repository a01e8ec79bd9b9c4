package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Looking from outside, and force. */
interface OperatorRules extends StoreRules {

  @Test
  default void inspectionSaysWhoHoldsAndHowManyWait() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(3);
    waiter.queue(1);
    waiter.queue(2);

    Inspection found = client().inspect();

    Inspection.Holder seen = Objects.requireNonNull(found.holder());
    assertThat(seen.clientId()).isEqualTo(holder.id());
    assertThat(seen.grant()).isEqualTo(3);
    assertThat(seen.token()).isEqualTo(grant.firstToken());
    assertThat(seen.leaseMicros()).isPositive().isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
    assertThat(found.waiting()).isEqualTo(2);
  }

  @Test
  default void anUnknownResourceIsFree() {
    assertThat(client().inspect()).isEqualTo(new Inspection(null, List.of()));
  }

  @Test
  default void inspectionDoesNotShowAnExpiredGrantAsHeld() {
    StoreClient holder = client();
    holder.claim(holder.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    assertThat(client().inspect().holder()).isNull();
  }

  @Test
  default void inspectionDoesNotKeepWaitingClaimsAlive() {
    StoreClient holder = client(SHORT_HEARTBEAT);
    StoreClient waiter = client(SHORT_HEARTBEAT);
    Grant grant = holder.claim(1);
    waiter.queue(1);
    passBeyond(HEARTBEAT_MILLIS / 2);
    waiter.inspect();
    passBeyond(HEARTBEAT_MILLIS / 2);

    holder.release(grant);

    assertPassedAsSilent(waiter, 1);
  }

  @Test
  default void forceEndsTheGrantWhoeverHoldsItAndLetsTheNextIn() {
    StoreClient holder = client();
    StoreClient next = client();
    Grant grant = holder.claim(1);
    next.queue(1);

    assertThat(client().forceRelease()).isTrue();

    holder.lookGone(1);
    assertThat(next.lookGranted(1).firstToken()).isGreaterThan(grant.lastToken());
    assertThat(holder.release(grant).released()).isFalse();
    assertThat(holder.renew(grant, LEASE_MILLIS).renewed()).isFalse();
    next.lookGranted(1);
  }

  @Test
  default void forceOnAFreeResourceSaysThatItWasFree() {
    assertThat(client().forceRelease()).isFalse();
  }

  @Test
  default void forceOnAnExpiredGrantSaysThatNobodyHeldIt() {
    StoreClient holder = client();
    holder.claim(holder.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    assertThat(client().forceRelease()).isFalse();
  }
}

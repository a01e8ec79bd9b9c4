package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More time, never less. */
interface RenewRules extends StoreRules {

  @Test
  default void aRenewalPutsTheEndOff() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client.renew(grant, LEASE_MILLIS * 2);

    assertThat(client.lookGranted(1).leaseMicros())
        .isGreaterThan(LEASE_MILLIS * 1_000)
        .isLessThanOrEqualTo(LEASE_MILLIS * 2_000);
  }

  @Test
  default void aRenewalNeverBringsTheEndForward() {
    StoreClient client = client();
    Grant grant = client.claim(1);

    assertThat(client.renew(grant, SHORT_MILLIS)).isEqualTo(new RenewAnswer(true, false));

    assertThat(client.lookGranted(1).leaseMicros()).isGreaterThan(SHORT_MILLIS * 1_000);
    passBeyond(SHORT_MILLIS);
    client.lookGranted(1);
  }

  @Test
  default void aRenewalConfirmsAGrantOutOfTheQueue() {
    StoreClient holder = client(SHORT_CLAIM_DEADLINE);
    StoreClient waiter = client(SHORT_CLAIM_DEADLINE);
    Grant grant = holder.claim(1);
    waiter.queue(1);
    holder.release(grant);
    Grant granted = waiter.lookGranted(1);

    assertThat(waiter.renew(granted, LEASE_MILLIS).renewed()).isTrue();

    passBeyond(KEPT_MILLIS);
    Grant confirmed = waiter.lookGranted(1);
    assertThat(confirmed.confirmed()).isTrue();
    assertThat(confirmed.leaseMicros()).isGreaterThan(KEPT_MILLIS * 1_000);
  }

  @Test
  default void aRenewalNeverRevives() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    assertThat(client.renew(grant, LEASE_MILLIS).renewed()).isFalse();

    assertThat(client.inspect().holder()).isNull();
    client().claim(1);
  }

  @Test
  default void aRenewalAfterTheReleaseBringsNothingBack() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client.release(grant);

    assertThat(client.renew(grant, LEASE_MILLIS).renewed()).isFalse();

    assertThat(client.inspect().holder()).isNull();
  }

  @Test
  default void aRenewalOfAnEarlierGrantDoesNotProlongTheCurrentOne() {
    StoreClient client = client();
    Grant earlier = client.claim(1);
    client.release(earlier);
    client.claim(2);

    assertThat(client.renew(earlier, LEASE_MILLIS * 2).renewed()).isFalse();

    assertThat(client.lookGranted(2).leaseMicros()).isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void aRenewalOfAnotherClientsGrantTouchesNobody() {
    StoreClient holder = client();
    Grant grant = holder.claim(1);

    assertThat(client().renew(grant, LEASE_MILLIS * 2).renewed()).isFalse();

    assertThat(holder.lookGranted(1).leaseMicros()).isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void aRenewalSaysWhetherOthersWait() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    assertThat(holder.renew(grant, LEASE_MILLIS)).isEqualTo(new RenewAnswer(true, false));
    holder.queue(2);
    assertThat(holder.renew(grant, LEASE_MILLIS)).isEqualTo(new RenewAnswer(true, false));

    waiter.queue(1);

    assertThat(holder.renew(grant, LEASE_MILLIS)).isEqualTo(new RenewAnswer(true, true));
    waiter.withdraw(1);
    assertThat(holder.renew(grant, LEASE_MILLIS)).isEqualTo(new RenewAnswer(true, false));
  }

  @Test
  default void aBatchOfRenewalsIsAnsweredInOrderEachOnItsOwnMerits() {
    StoreClient client = client();
    Grant a = client.on(ResourceId.lock("a")).claim(1);
    Grant b = client.on(ResourceId.lock("b")).claim(2);
    Grant c = client.on(ResourceId.lock("c")).claim(3);
    client.on(ResourceId.lock("b")).release(b);

    List<RenewAnswer> answers =
        client.renew(
            List.of(
                new RenewRequest(ResourceId.lock("a"), a.grant(), LEASE_MILLIS * 2),
                new RenewRequest(ResourceId.lock("b"), b.grant(), LEASE_MILLIS * 2),
                new RenewRequest(ResourceId.lock("c"), c.grant(), LEASE_MILLIS * 3)));

    assertThat(answers).extracting(RenewAnswer::renewed).containsExactly(true, false, true);
    assertThat(client.on(ResourceId.lock("c")).lookGranted(3).leaseMicros())
        .isGreaterThan(LEASE_MILLIS * 2_000);
  }

  @Test
  default void aLargeBatchOfRenewalsIsAnsweredWhole() {
    StoreClient client = client();
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      client.on(ResourceId.lock("r" + i)).claim(i);
      batch.add(new RenewRequest(ResourceId.lock("r" + i), i, LEASE_MILLIS));
    }

    assertThat(client.renew(batch)).hasSize(250).allMatch(RenewAnswer::renewed);
  }
}

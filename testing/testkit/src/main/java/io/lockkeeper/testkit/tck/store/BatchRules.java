package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Store;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Consecutive claims of one client, granted together. */
interface BatchRules extends StoreRules {

  @Test
  default void claimsOfOneClientDirectlyBehindEachOtherAreGrantedTogether() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(waiter.request(5, LEASE_MILLIS, 2));
    waiter.queue(waiter.request(3, LEASE_MILLIS, 1));
    waiter.queue(waiter.request(4, LEASE_MILLIS, 4));

    holder.release(grant);

    Grant run = waiter.lookGranted(5);
    assertThat(run.grant()).isEqualTo(5);
    assertThat(run.claims()).containsExactly(5L, 3L, 4L);
    assertThat(run.lastToken() - run.firstToken() + 1).isEqualTo(7);
    assertThat(waiter.inspect().waiting()).isZero();
  }

  @Test
  default void aRunEndsBeforeTheFirstClaimOfAnotherClient() {
    StoreClient holder = client();
    StoreClient waiter = client();
    StoreClient other = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);
    other.queue(1);
    waiter.queue(3);

    holder.release(grant);

    Grant run = waiter.lookGranted(1);
    assertThat(run.claims()).containsExactly(1L, 2L);
    assertThat(run.othersWait()).isTrue();
    waiter.release(run);
    other.release(other.lookGranted(1));
    assertThat(waiter.lookGranted(3).claims()).containsExactly(3L);
    assertThat(waiter.lookGranted(3).othersWait()).isFalse();
  }

  @Test
  default void aRunEndsBeforeAClaimThatAsksForAnotherLease() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);
    waiter.queue(waiter.request(3, LEASE_MILLIS * 2, 1));
    waiter.queue(4);

    holder.release(grant);

    Grant run = waiter.lookGranted(1);
    assertThat(run.claims()).containsExactly(1L, 2L);
    assertThat(run.othersWait()).isFalse();
    waiter.release(run);
    assertThat(waiter.lookGranted(3).claims()).containsExactly(3L);
  }

  @Test
  default void aRunIsNoLongerThanItsLimit() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    int claims = Store.MAX_BATCH + 3;
    LongStream.rangeClosed(1, claims).forEach(waiter::queue);

    holder.release(grant);

    Grant run = waiter.lookGranted(1);
    assertThat(run.claims())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, Store.MAX_BATCH).boxed().toList());
    waiter.release(run);
    Grant rest = waiter.lookGranted(Store.MAX_BATCH + 1);
    assertThat(rest.claims()).hasSize(3);
    assertThat(rest.firstToken()).isGreaterThan(run.lastToken());
  }

  @Test
  default void aRunHasOneLeaseForAll() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(waiter.request(1, KEPT_MILLIS, 1));
    waiter.queue(waiter.request(2, KEPT_MILLIS, 1));
    holder.release(grant);
    Grant run = waiter.lookGranted(1);
    assertThat(run.claims()).containsExactly(1L, 2L);

    passBeyond(KEPT_MILLIS);

    waiter.lookGone(1);
    waiter.lookGone(2);
  }

  @Test
  default void eachClaimOfARunIsAnsweredTheWholeRun() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    waiter.queue(2);
    holder.release(grant);

    Grant byFirst = waiter.claim(1);
    Grant bySecond = waiter.claim(2);

    assertThat(bySecond.grant()).isEqualTo(1);
    assertThat(bySecond.claims()).isEqualTo(byFirst.claims());
    assertThat(bySecond.firstToken()).isEqualTo(byFirst.firstToken());
  }
}

package io.lockkeeper.testkit.tck.store;

import static io.lockkeeper.testkit.tck.store.StoreRules.ofThree;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of admission where several may hold a resource at once. */
interface PoolRules extends StoreRules {

  @Test
  default void permitsAreGrantedWhileTheyLast() {
    StoreClient a = pool();
    StoreClient b = pool();

    a.claim(1, ofThree(1));
    b.claim(1, ofThree(1));
    a.claim(2, ofThree(1));
    b.queue(2, ofThree(1));

    Inspection found = pool().inspect();
    assertThat(found.holders()).hasSize(3);
    assertThat(found.limit()).hasValue(3);
    assertThat(found.out()).isEqualTo(3);
    assertThat(found.available(9)).isZero();
    assertThat(found.waiting()).isEqualTo(1);
  }

  @Test
  default void aGrantIsOneClaimWithOneTokenAndItsOwnLease() {
    StoreClient client = pool();

    Grant grant = client.claim(client.request(7, KEPT_MILLIS, ofThree(2)));

    assertThat(grant.grant()).isEqualTo(7);
    assertThat(grant.claims()).containsExactly(7L);
    assertThat(grant.lastToken()).isEqualTo(grant.firstToken());
    assertThat(grant.leaseMicros()).isEqualTo(KEPT_MILLIS * 1_000);
    assertThat(grant.confirmed()).isTrue();
    Inspection.Holder holder = client.inspect().holders().get(0);
    assertThat(holder.clientId()).isEqualTo(client.id());
    assertThat(holder.grant()).isEqualTo(7);
    assertThat(holder.token()).isEqualTo(grant.firstToken());
    assertThat(holder.permits()).isEqualTo(2);
    assertThat(holder.leaseMicros()).isPositive().isLessThanOrEqualTo(KEPT_MILLIS * 1_000);
  }

  @Test
  default void whoDoesNotWaitIsToldThatItIsBusyAndLeavesNothing() {
    StoreClient holder = pool();
    StoreClient client = pool();
    Grant grant = holder.claim(1, ofThree(3));

    assertThat(client.askOnce(1, ofThree(1))).isEqualTo(new ClaimAnswer.Busy());

    assertThat(client.inspect().waiting()).isZero();
    holder.release(grant);
    client.lookGone(1);
    assertThat(client.askOnce(2, ofThree(3))).isInstanceOf(ClaimAnswer.Granted.class);
  }

  @Test
  default void claimsForPermitsSentBehindAReleaseHaveTheArrivalsThatTheyKeep() {
    assertArrivalsBehindARelease(pool(), pool(), ofThree(3));
  }

  @Test
  default void aClaimForPermitsThatIsAdmittedAsItArrivesComesAfterThoseBeforeIt() {
    assertArrivalWithARelease(pool(), ofThree(3), ofThree(1));
  }

  @Test
  default void aReleaseLetsInAsManyAsFit() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    Grant grant = holder.claim(1, ofThree(3));
    waiter.queue(1, ofThree(1));
    waiter.queue(2, ofThree(2));
    waiter.queue(3, ofThree(1));

    assertThat(holder.release(grant).released()).isTrue();

    waiter.lookGranted(1);
    waiter.lookGranted(2);
    waiter.lookQueued(3);
    assertThat(holder.inspect().out()).isEqualTo(3);
  }

  @Test
  default void aLargeClaimIsNotStarvedBySmallOnes() {
    StoreClient holder = pool();
    StoreClient large = pool();
    StoreClient small = pool();
    Grant one = holder.claim(1, ofThree(1));
    Grant two = holder.claim(2, ofThree(1));
    large.queue(1, ofThree(3));

    small.queue(1, ofThree(1)); // one permit is left, but not for who comes later
    assertThat(small.askOnce(2, ofThree(1))).isEqualTo(new ClaimAnswer.Busy());
    holder.release(one);
    small.lookQueued(1);
    holder.release(two);

    Grant granted = large.lookGranted(1);
    small.lookQueued(1);
    large.release(granted);
    small.lookGranted(1);
  }

  @Test
  default void theWithdrawalOfALargeClaimLetsInThoseBehindIt() {
    StoreClient holder = pool();
    StoreClient large = pool();
    StoreClient small = pool();
    holder.claim(1, ofThree(1));
    large.queue(1, ofThree(3));
    small.queue(1, ofThree(1));

    large.withdraw(1);

    assertThat(small.awaitGranted(1).confirmed()).isFalse();
    small.lookGranted(1);
    large.lookGone(1);
  }

  @Test
  default void aDeadClaimHoldsNobodyUp() {
    StoreClient holder = pool(SHORT_HEARTBEAT);
    StoreClient dead = pool(SHORT_HEARTBEAT);
    StoreClient alive = pool(SHORT_HEARTBEAT);
    holder.claim(1, ofThree(1));
    dead.queue(1, ofThree(3));
    passBeyond(HEARTBEAT_MILLIS / 2);
    alive.queue(1, ofThree(2));
    dies(dead);
    passBeyond(HEARTBEAT_MILLIS / 2);

    alive.lookGranted(1);

    assertThat(alive.inspect().waiting()).isZero();
  }

  @Test
  default void aClaimThatWantsMoreThanThereIsHoldsNobodyUp() {
    StoreClient greedy = pool();
    StoreClient modest = pool();
    greedy.queue(1, ofThree(4));

    Grant grant = modest.claim(1, ofThree(3));
    modest.queue(2, ofThree(3));
    modest.release(grant);

    modest.lookGranted(2);
    greedy.lookQueued(1);
  }

  @Test
  default void aLimitGoesWithTheLastGrantAlsoIfThatIsOver() {
    StoreClient first = pool();
    StoreClient second = pool();
    first.claim(first.request(1, SHORT_MILLIS, ofThree(1)));
    passBeyond(SHORT_MILLIS);

    second.claim(1, new Share(5, 5, false));

    assertThat(second.inspect().limit()).hasValue(5);
  }

  @Test
  default void aClaimThatIsGrantedAgainAfterItsEndEndsAgain() {
    StoreClient first = pool();
    StoreClient second = pool();
    ClaimRequest all = first.request(1, SHORT_MILLIS, ofThree(3));
    first.claim(all);
    passBeyond(SHORT_MILLIS);
    first.claim(all); // a late copy
    passBeyond(SHORT_MILLIS);

    second.claim(1, ofThree(3));
  }

  @Test
  default void aPlaceSaysWhenTheFirstGrantEnds() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    holder.claim(1, ofThree(2));
    holder.claim(holder.request(2, KEPT_MILLIS, ofThree(1)));

    Queued place = waiter.queue(1, ofThree(1));

    assertThat(place.holderMicros()).isPositive().isLessThanOrEqualTo(KEPT_MILLIS * 1_000);
  }

  @Test
  default void readersShareAndAWriterExcludes() {
    StoreClient a = readWrite();
    StoreClient b = readWrite();
    List<Grant> readers = List.of(a.claim(1, READER), b.claim(1, READER), b.claim(2, READER));
    a.queue(2, WRITER);
    b.queue(3, READER);

    a.release(readers.get(0));
    b.release(readers.get(1));
    a.lookQueued(2);
    b.release(readers.get(2));

    Grant writer = a.lookGranted(2);
    b.lookQueued(3);
    a.queue(3, WRITER);
    a.release(writer);
    b.lookGranted(3);
    a.lookQueued(3);
  }

  @Test
  default void readersBehindAWriterEnterTogetherUpToTheNextWriter() {
    ResourceId id = new ResourceId(ResourceKind.READ_WRITE_LOCK, "r");
    StoreClient writer = client().on(id);
    StoreClient readers = client().on(id);
    Grant grant = writer.claim(1, WRITER);
    for (int i = 1; i <= 250; i++) {
      readers.queue(i, READER);
    }
    writer.queue(2, WRITER);
    readers.queue(251, READER);

    writer.release(grant);

    assertThat(writer.inspect().out()).isEqualTo(250);
    assertThat(writer.inspect().waiting()).isEqualTo(2);
    readers.lookQueued(251);
    for (int i = 1; i <= 250; i++) {
      readers.awaitGranted(i);
    }
  }

  @Test
  default void whoOvertakesIsLetInPastAWriterThatWaits() {
    StoreClient reader = readWrite();
    StoreClient writer = readWrite();
    Grant first = reader.claim(1, READER);
    writer.queue(1, WRITER);

    Grant second = reader.claim(2, EAGER_READER);

    assertThat(reader.askOnce(3, READER)).isEqualTo(new ClaimAnswer.Busy());
    reader.release(first);
    writer.lookQueued(1);
    reader.release(second);
    writer.lookGranted(1);
  }

  @Test
  default void whoOvertakesIsLetInOutOfTheQueuePastAWriter() {
    StoreClient writer = readWrite();
    StoreClient reader = readWrite();
    Grant current = writer.claim(1, WRITER);
    reader.queue(1, READER);
    writer.queue(2, WRITER);
    reader.queue(2, READER);
    reader.queue(3, EAGER_READER);

    writer.release(current);

    reader.lookGranted(1);
    writer.lookQueued(2);
    reader.lookQueued(2);
    reader.lookGranted(3);
  }

  @Test
  default void whoOvertakesStillNeedsItsPermits() {
    StoreClient holder = pool();
    holder.claim(1, ofThree(3));

    holder.queue(2, new Share(1, 3, true));

    assertThat(holder.askOnce(3, new Share(1, 3, true))).isEqualTo(new ClaimAnswer.Busy());
  }

  @Test
  default void kindsOfOneNameAreResourcesOfTheirOwn() {
    StoreClient lock = client();
    StoreClient permits = lock.on(new ResourceId(ResourceKind.SEMAPHORE, "r"));
    StoreClient readWrite = lock.on(new ResourceId(ResourceKind.READ_WRITE_LOCK, "r"));

    Grant held = lock.claim(1);
    Grant permit = permits.claim(2, ofThree(3));
    readWrite.claim(3, WRITER);
    lock.release(held);

    assertThat(lock.inspect()).isEqualTo(new Inspection(null, List.of()));
    permits.lookGranted(2);
    permits.release(permit);
    readWrite.lookGranted(3);
  }
}

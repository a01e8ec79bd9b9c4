package io.lockkeeper.testkit.tck.store;

import static io.lockkeeper.testkit.tck.store.StoreRules.ofThree;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life of grants of shared resources: each lives and ends for itself. */
interface PoolGrantRules extends StoreRules {

  @Test
  default void eachGrantEndsWithItsOwnLease() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    holder.claim(holder.request(1, KEPT_MILLIS, ofThree(1)));
    Grant lasting = holder.claim(2, ofThree(2));
    waiter.queue(1, ofThree(1));
    passBeyond(KEPT_MILLIS);

    assertThat(holder.inspect().out()).isEqualTo(2);
    waiter.lookGranted(1);

    holder.lookGone(1);
    assertThat(holder.renew(lasting, LEASE_MILLIS).renewed()).isTrue();
  }

  @Test
  default void aDeadReaderLetsTheWriterIn() {
    StoreClient dead = readWrite();
    StoreClient writer = readWrite();
    dead.claim(dead.request(1, KEPT_MILLIS, READER));
    writer.queue(1, WRITER);
    passBeyond(KEPT_MILLIS);

    writer.lookGranted(1);
  }

  @Test
  default void aGrantOutOfTheQueueHasOnlyTheClaimDeadlineUntilItIsRenewed() {
    StoreClient holder = pool(SHORT_CLAIM_DEADLINE);
    StoreClient waiter = pool(SHORT_CLAIM_DEADLINE);
    Grant grant = holder.claim(1, ofThree(3));
    waiter.queue(1, ofThree(1));
    waiter.queue(2, ofThree(1));
    holder.release(grant);
    Grant first = waiter.lookGranted(1);
    assertThat(first.confirmed()).isFalse();
    assertThat(first.leaseMicros()).isLessThanOrEqualTo(KEPT_MILLIS * 1_000);

    waiter.renew(first, LEASE_MILLIS);
    passBeyond(KEPT_MILLIS);

    assertThat(waiter.lookGranted(1).confirmed()).isTrue();
    waiter.lookGone(2);
    assertThat(waiter.inspect().out()).isEqualTo(1);
  }

  @Test
  default void aRenewalNeverBringsTheEndOfAShareForward() {
    StoreClient client = pool();
    Grant grant = client.claim(1, ofThree(1));

    assertThat(client.renew(grant, SHORT_MILLIS)).isEqualTo(new RenewAnswer(true, false));

    passBeyond(SHORT_MILLIS);
    assertThat(client.lookGranted(1).leaseMicros()).isGreaterThan(SHORT_MILLIS * 1_000);
  }

  @Test
  default void aRenewalNeverRevivesAShare() {
    StoreClient client = pool();
    Grant over = client.claim(client.request(1, SHORT_MILLIS, ofThree(1)));
    Grant released = client.claim(2, ofThree(1));
    client.release(released);
    passBeyond(SHORT_MILLIS);

    assertThat(client.renew(over, LEASE_MILLIS).renewed()).isFalse();
    assertThat(client.renew(released, LEASE_MILLIS).renewed()).isFalse();
    assertThat(client.shrink(over, 1)).isFalse();

    assertThat(client.inspect().holders()).isEmpty();
  }

  @Test
  default void aGrantCanGiveBackAPartOfItsPermits() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    Grant grant = holder.claim(1, ofThree(3));
    waiter.queue(1, ofThree(1));
    waiter.queue(2, ofThree(2));

    assertThat(holder.shrink(grant, 2)).isTrue();

    waiter.lookGranted(1);
    waiter.lookQueued(2);
    assertThat(holder.inspect().holders())
        .extracting(Inspection.Holder::permits)
        .containsExactly(2, 1);
    assertThat(holder.lookGranted(1).firstToken()).isEqualTo(grant.firstToken());
  }

  @Test
  default void givingBackTwiceGivesBackOnce() {
    StoreClient holder = pool();
    Grant grant = holder.claim(1, ofThree(3));

    holder.shrink(grant, 2);
    holder.shrink(grant, 2);
    assertThat(holder.inspect().out()).isEqualTo(2);
    holder.shrink(grant, 3);
    assertThat(holder.inspect().out()).as("what was given back is gone").isEqualTo(2);
    holder.release(grant);
    holder.release(grant);

    assertThat(holder.inspect().out()).isZero();
  }

  @Test
  default void aWriterThatBecomesAReaderLetsReadersInAndKeepsWritersOut() {
    StoreClient writer = readWrite();
    StoreClient reader = readWrite();
    Grant grant = writer.claim(1, WRITER);
    reader.queue(1, READER);
    reader.queue(2, WRITER);

    assertThat(writer.shrink(grant, 1)).isTrue();

    reader.awaitGranted(1);
    reader.lookQueued(2);
    writer.lookGranted(1);
  }

  @Test
  default void askingAgainForWhatIsGrantedRenewsThatGrant() {
    StoreClient client = pool();
    Grant grant = client.claim(client.request(1, KEPT_MILLIS, ofThree(1)));

    Grant again = client.claim(1, ofThree(1));

    assertThat(again.firstToken()).isEqualTo(grant.firstToken());
    assertThat(client.inspect().out()).isEqualTo(1);
    passBeyond(KEPT_MILLIS);
    client.lookGranted(1);
  }

  @Test
  default void askingAgainKeepsThePlace() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    holder.claim(1, ofThree(3));
    Queued first = waiter.queue(1, ofThree(1));

    Queued again = waiter.queue(1, ofThree(1));

    assertThat(again.arrival()).isEqualTo(first.arrival());
    assertThat(holder.inspect().waiting()).isEqualTo(1);
  }

  @Test
  default void releasingTwiceEndsNothingElse() {
    StoreClient client = pool();
    Grant grant = client.claim(1, ofThree(1));
    client.claim(2, ofThree(1));

    assertThat(client.release(grant).released()).isTrue();
    assertThat(client.release(grant).released()).isFalse();

    assertThat(client.inspect().out()).isEqualTo(1);
    client.lookGranted(2);
  }

  @Test
  default void whatAnotherHoldsUnderTheSameNumberIsNotMeant() {
    StoreClient holder = pool();
    StoreClient other = pool();
    Grant grant = holder.claim(1, ofThree(1));

    assertThat(other.release(grant).released()).isFalse();
    assertThat(other.renew(grant, LEASE_MILLIS * 2).renewed()).isFalse();
    other.withdraw(1);
    other.lookGone(1);

    assertThat(holder.lookGranted(1).leaseMicros()).isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void aPermitCanBeReleasedByAnotherClient() {
    StoreClient holder = pool();
    StoreClient other = pool();
    Grant grant = holder.claim(1, ofThree(3));
    other.queue(1, ofThree(1));

    assertThat(other.releaseOf(holder.id(), grant)).isTrue();

    holder.awaitNotification("revoked");
    other.lookGranted(1);
    holder.lookGone(1);
    assertThat(other.releaseOf(holder.id(), grant)).isFalse();
    assertThat(holder.release(grant).released()).isFalse();
  }

  @Test
  default void aPermitCanBeRenewedByAnotherClient() {
    StoreClient holder = pool();
    StoreClient other = pool();
    Grant grant = holder.claim(holder.request(1, KEPT_MILLIS, ofThree(1)));

    assertThat(other.renewOf(holder.id(), grant, LEASE_MILLIS)).isTrue();

    passBeyond(KEPT_MILLIS);
    holder.lookGranted(1);
    assertThat(other.renewOf(other.id(), grant, LEASE_MILLIS)).isFalse();
  }

  @Test
  default void aRenewalByAClientThatHasNotReadItNeverBringsTheEndForward() {
    StoreClient holder = pool();
    StoreClient stranger = stranger().on(holder.resource());
    Grant grant = holder.claim(1, ofThree(3));

    assertThat(stranger.renewOf(holder.id(), grant, SHORT_MILLIS)).isTrue();

    passBeyond(SHORT_MILLIS);
    assertThat(pool().askOnce(1, ofThree(1))).isEqualTo(new ClaimAnswer.Busy());
    assertThat(stranger.askOnce(1, ofThree(1))).isEqualTo(new ClaimAnswer.Busy());
    holder.lookGranted(1);
    assertThat(stranger.releaseOf(holder.id(), grant)).isTrue();
  }

  @Test
  default void aRenewalByAClientThatHasNotReadItPutsTheEndOff() {
    StoreClient holder = pool();
    StoreClient stranger = stranger().on(holder.resource());
    Grant grant = holder.claim(holder.request(1, KEPT_MILLIS, ofThree(1)));

    assertThat(stranger.renewOf(holder.id(), grant, LEASE_MILLIS)).isTrue();

    passBeyond(KEPT_MILLIS);
    holder.lookGranted(1);
    assertThat(stranger.inspect().holders()).hasSize(1);
  }

  @Test
  default void aWithdrawalOfAGrantEndsIt() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    holder.claim(1, ofThree(2));
    holder.claim(2, ofThree(1));
    waiter.queue(1, ofThree(1));

    holder.withdraw(2);

    waiter.awaitGranted(1);
    holder.lookGranted(1);
    holder.lookGone(2);
  }

  @Test
  default void tokensGrowFromGrantToGrant() {
    StoreClient a = pool();
    StoreClient b = pool();
    Grant one = a.claim(1, ofThree(1));
    Grant two = b.claim(1, ofThree(2));
    a.queue(2, ofThree(1));
    b.queue(2, ofThree(1));
    b.release(two);
    Grant three = a.awaitGranted(2);
    Grant four = b.awaitGranted(2);
    a.release(one);
    a.release(three);
    b.release(four);
    Grant five = b.claim(3, ofThree(1));

    assertThat(List.of(one, two, three, four, five))
        .extracting(Grant::firstToken)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  default void whoIsLetInHearsOfEachClaimAlsoTheOneThatReleased() {
    StoreClient holder = pool();
    StoreClient other = pool();
    Grant grant = holder.claim(1, ofThree(3));
    other.queue(1, ofThree(1));
    holder.queue(2, ofThree(1));
    other.queue(2, ofThree(1));

    assertThat(holder.release(grant).next()).isNull();

    Grant heard = other.awaitGranted(1);
    assertThat(heard.claims()).containsExactly(1L);
    assertThat(heard.confirmed()).isFalse();
    assertThat(heard.leaseMicros()).isPositive().isLessThanOrEqualTo(CLAIM_DEADLINE_MILLIS * 1_000);
    assertThat(other.lookGranted(1).firstToken()).isEqualTo(heard.firstToken());
    holder.awaitGranted(2);
    other.awaitGranted(2);
  }

  @Test
  default void forceEndsAllGrantsAndTellsEachHolder() {
    StoreClient a = pool();
    StoreClient b = pool();
    StoreClient waiter = pool();
    a.claim(1, ofThree(1));
    a.claim(2, ofThree(1));
    b.claim(1, ofThree(1));
    waiter.queue(1, ofThree(3));

    assertThat(waiter.forceRelease()).isTrue();

    a.awaitNotification("revoked");
    b.awaitNotification("revoked");
    waiter.lookGranted(1);
    a.lookGone(1);
    a.lookGone(2);
    waiter.withdraw(1);
    assertThat(waiter.forceRelease()).isFalse();
  }

  @Test
  default void aBatchMayNameOneResourceSeveralTimesAndSeveralKinds() {
    StoreClient client = pool();
    StoreClient lock = client.on(ResourceId.lock("r"));
    ResourceId semaphore = new ResourceId(ResourceKind.SEMAPHORE, "r");
    client.claim(1, ofThree(2));
    client.claim(2, ofThree(1));
    client.queue(3, ofThree(1));
    lock.claim(4);

    List<RenewAnswer> renewed =
        client.renew(
            List.of(
                new RenewRequest(semaphore, null, 1, LEASE_MILLIS, 1),
                new RenewRequest(ResourceId.lock("r"), 4, LEASE_MILLIS),
                new RenewRequest(semaphore, 9, LEASE_MILLIS),
                new RenewRequest(semaphore, 2, LEASE_MILLIS)));
    List<PollAnswer> polled =
        client.poll(
            List.of(
                new PollRequest(semaphore, 3),
                new PollRequest(ResourceId.lock("r"), 4),
                new PollRequest(semaphore, 9),
                new PollRequest(semaphore, 1)));

    assertThat(renewed).extracting(RenewAnswer::renewed).containsExactly(true, true, false, true);
    assertThat(polled.get(0)).isInstanceOf(PollAnswer.Granted.class);
    assertThat(polled.get(1)).isInstanceOf(PollAnswer.Granted.class);
    assertThat(polled.get(2)).isEqualTo(new PollAnswer.Gone());
    assertThat(polled.get(3)).isInstanceOf(PollAnswer.Granted.class);
  }

  @Test
  default void aLargeBatchOfOneResourceIsAnsweredWhole() {
    StoreClient readers = readWrite();
    List<RenewRequest> batch = new ArrayList<>();
    for (int i = 1; i <= 250; i++) {
      readers.claim(i, READER);
      batch.add(
          new RenewRequest(new ResourceId(ResourceKind.READ_WRITE_LOCK, "r"), i, LEASE_MILLIS));
    }

    assertThat(readers.renew(batch)).hasSize(250).allMatch(RenewAnswer::renewed);
  }
}

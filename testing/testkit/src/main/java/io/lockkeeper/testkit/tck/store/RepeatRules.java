package io.lockkeeper.testkit.tck.store;

import static io.lockkeeper.testkit.tck.store.StoreRules.ofThree;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResizeRequest.Kind;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.Share;
import org.junit.jupiter.api.Test;

/** A copy of a request that comes after others have moved on changes nothing. */
interface RepeatRules extends StoreRules {

  @Test
  default void aRepeatedForceDoesNotEndTheGrantOfTheNext() {
    StoreClient holder = client();
    StoreClient next = client();
    StoreClient third = client();
    Grant grant = holder.claim(1);
    next.queue(1);
    third.queue(1);

    assertThat(third.forceRelease(grant.firstToken())).isTrue();
    assertThat(third.forceRelease(grant.firstToken())).isFalse();

    next.lookGranted(1);
    third.lookQueued(1);
  }

  @Test
  default void aRepeatedForceDoesNotEndTheSharesOfTheNext() {
    StoreClient holder = pool();
    StoreClient next = pool();
    holder.claim(1, ofThree(2));
    Grant newest = holder.claim(2, ofThree(1));
    next.queue(1, ofThree(3));

    assertThat(next.forceRelease(newest.firstToken())).isTrue();
    assertThat(next.forceRelease(newest.firstToken())).isFalse();

    next.lookGranted(1);
    assertThat(next.inspect().out()).isEqualTo(3);
  }

  @Test
  default void aForceLeavesSharesThatAreNewerThanItMeans() {
    StoreClient client = pool();
    Grant old = client.claim(1, ofThree(1));
    Grant newer = client.claim(2, ofThree(1));

    assertThat(client.forceRelease(old.firstToken())).isTrue();

    assertThat(client.inspect().out()).isEqualTo(1);
    assertThat(client.renew(newer, LEASE_MILLIS).renewed()).isTrue();
    assertThat(client.renew(old, LEASE_MILLIS).renewed()).isFalse();
    client.claim(3, ofThree(2));
    client.queue(4, ofThree(1));
  }

  @Test
  default void aForceOfOneGrantDoesNotEndALaterOneOfTheSameNumber() {
    StoreClient holder = client();
    StoreClient operator = client();
    Grant first = holder.claim(1);
    assertThat(operator.forceRelease(holder.id(), 1, first.firstToken())).isTrue();
    Grant copy = holder.claim(1); // its request came twice, the second time late

    assertThat(operator.forceRelease(holder.id(), 1, first.firstToken())).isFalse();

    assertThat(holder.renew(copy, LEASE_MILLIS).renewed()).isTrue();
  }

  @Test
  default void aRepeatedReleaseDoesNotEndTheGrantOfTheNext() {
    StoreClient holder = client();
    StoreClient next = client();
    Grant grant = holder.claim(1);
    next.queue(1);

    holder.release(grant);
    assertThat(holder.release(grant).released()).isFalse();

    next.lookGranted(1);
  }

  @Test
  default void aRepeatedReleaseOfAnothersPermitsGivesNothingBackTwice() {
    StoreClient holder = pool();
    StoreClient other = pool();
    Grant grant = holder.claim(1, ofThree(2));
    holder.claim(2, ofThree(1));

    assertThat(other.releaseOf(holder.id(), grant)).isTrue();
    other.claim(1, ofThree(2));
    assertThat(other.releaseOf(holder.id(), grant)).isFalse();

    assertThat(other.inspect().out()).isEqualTo(3);
  }

  @Test
  default void aRepeatedShrinkGivesNothingBackTwice() {
    StoreClient holder = pool();
    StoreClient next = pool();
    Grant grant = holder.claim(1, ofThree(3));
    next.queue(1, ofThree(1));

    assertThat(holder.shrink(grant, 2)).isTrue();
    assertThat(holder.shrink(grant, 2)).isTrue();

    next.lookGranted(1);
    assertThat(holder.inspect().out()).isEqualTo(3);
  }

  @Test
  default void aRepeatedWithdrawalDoesNotTouchTheNext() {
    StoreClient holder = client();
    StoreClient next = client();
    holder.claim(1);
    next.queue(1);

    holder.withdraw(1);
    holder.withdraw(1);

    next.lookGranted(1);
  }

  @Test
  default void aRepeatedClaimIsOneGrant() {
    StoreClient client = pool();
    Grant grant = client.claim(1, ofThree(1));

    assertThat(client.claim(1, ofThree(1)).firstToken()).isEqualTo(grant.firstToken());

    assertThat(client.inspect().out()).isEqualTo(1);
  }

  @Test
  default void aRepeatedAdditionAddsOnce() {
    StoreClient one = pool();
    StoreClient other = pool();

    assertThat(one.resize(71, Kind.ADD, 2)).isEqualTo(new Resized(true, 5));
    assertThat(other.resize(71, Kind.ADD, 4)).isEqualTo(new Resized(true, 9));
    assertThat(one.resize(71, Kind.ADD, 2)).isEqualTo(new Resized(true, 9));

    assertThat(one.inspect().limit()).hasValue(9);
    one.resize(Inspection.UNSET);
  }

  @Test
  default void aRepeatedLimitDoesNotUndoALaterOne() {
    StoreClient one = pool();
    StoreClient other = pool();

    one.resize(71, Kind.SET, 2);
    other.resize(71, Kind.SET, 7);
    assertThat(one.resize(71, Kind.SET, 2)).isEqualTo(new Resized(true, 7));

    assertThat(other.askOnce(1, ofThree(6))).isInstanceOf(ClaimAnswer.Granted.class);
    one.resize(Inspection.UNSET);
  }

  @Test
  default void aLimitIsNotGivenUpASecondTime() {
    StoreClient one = pool();
    StoreClient other = pool();
    one.resize(5);

    one.resize(72, Kind.GIVE_UP, 0);
    other.resize(71, Kind.SET, 7);
    assertThat(one.resize(72, Kind.GIVE_UP, 0)).isEqualTo(new Resized(true, 7));

    assertThat(one.inspect().limit()).hasValue(7);
    one.resize(Inspection.UNSET);
  }

  @Test
  default void aLimitThatCannotBeChangesNothing() {
    StoreClient client = pool();
    client.resize(5);

    assertThat(client.resize(71, Kind.ADD, -6)).isEqualTo(new Resized(false, 5));
    assertThat(client.resize(72, Kind.ADD, Integer.MAX_VALUE)).isEqualTo(new Resized(false, 5));
    assertThat(client.resize(73, Kind.ADD, -5)).isEqualTo(new Resized(true, 0));

    client.resize(Inspection.UNSET);
  }

  @Test
  default void anAdditionCountsFromTheLimitInUse() {
    StoreClient client = pool();
    client.claim(1, new Share(4, 4, false));
    client.queue(2, new Share(1, 4, false));

    assertThat(client.resize(71, Kind.ADD, 1)).isEqualTo(new Resized(true, 5));

    client.lookGranted(2);
    client.resize(Inspection.UNSET);
  }
}

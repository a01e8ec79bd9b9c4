package io.lockkeeper.testkit.tck.store;

import static io.lockkeeper.testkit.tck.store.StoreRules.ofThree;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many permits there are, who says so and for how long. */
interface LimitRules extends StoreRules {

  @Test
  default void theFirstClaimSaysHowManyPermitsThereAre() {
    StoreClient client = pool();
    client.claim(1, ofThree(3));

    client.queue(2, new Share(1, 100, false));

    assertThat(client.inspect().limit()).hasValue(3);
  }

  @Test
  default void outOfUseTheNextClaimSaysIt() {
    StoreClient client = pool();
    assertThat(client.inspect()).isEqualTo(Inspection.unknown(ResourceKind.SEMAPHORE));
    Grant grant = client.claim(1, ofThree(3));
    client.release(grant);
    assertThat(client.inspect()).isEqualTo(Inspection.unknown(ResourceKind.SEMAPHORE));
    assertThat(client.inspect().available(5)).isEqualTo(5);

    client.claim(2, new Share(5, 5, false));

    assertThat(client.inspect().limit()).hasValue(5);
  }

  @Test
  default void aClaimThatIsTurnedAwayDoesNotLeaveItsLimit() {
    StoreClient client = pool();

    assertThat(client.askOnce(1, ofThree(4))).isEqualTo(new ClaimAnswer.Busy());

    client.claim(2, new Share(5, 5, false));
  }

  @Test
  default void theLimitStaysWhileSomebodyWaits() {
    StoreClient client = pool();
    client.queue(1, ofThree(4));

    client.queue(2, new Share(4, 5, false));

    client.withdraw(1);
    client.lookQueued(2);
    client.withdraw(2);
    client.claim(3, new Share(4, 5, false));
  }

  @Test
  default void raisingTheLimitLetsWaitersInInTheSameStep() {
    StoreClient holder = pool();
    StoreClient waiter = pool();
    holder.claim(1, ofThree(3));
    waiter.queue(1, ofThree(1));
    waiter.queue(2, ofThree(1));
    waiter.queue(3, ofThree(1));

    holder.resize(5);

    waiter.awaitGranted(1);
    waiter.awaitGranted(2);
    waiter.lookQueued(3);
    assertThat(holder.inspect().out()).isEqualTo(5);
    assertThat(holder.inspect().limit()).hasValue(5);
    forget(holder);
  }

  @Test
  default void aClaimThatWantedTooMuchEntersInItsTurnWhenTheLimitIsRaised() {
    StoreClient greedy = pool();
    StoreClient modest = pool();
    greedy.queue(1, ofThree(4));
    Grant grant = modest.claim(1, ofThree(3));

    modest.resize(4);
    modest.queue(2, ofThree(1));
    modest.release(grant);

    greedy.lookGranted(1);
    modest.lookQueued(2);
    forget(modest);
  }

  @Test
  default void loweringTheLimitBelowWhatIsOutTakesNothingFromAnybody() {
    StoreClient holder = pool();
    Grant one = holder.claim(1, ofThree(1));
    Grant two = holder.claim(2, ofThree(2));
    holder.queue(3, ofThree(1));

    holder.resize(1);

    assertThat(holder.inspect().available(9)).isEqualTo(-2);
    assertThat(holder.renew(two, LEASE_MILLIS).renewed()).isTrue();
    holder.release(one);
    assertThat(holder.inspect().available(9)).isEqualTo(-1);
    holder.lookQueued(3);
    holder.release(two);
    holder.lookGranted(3);
    forget(holder);
  }

  @Test
  default void aLimitOfZeroLetsNobodyIn() {
    StoreClient client = pool();
    client.resize(0);

    assertThat(client.askOnce(1, ofThree(1))).isEqualTo(new ClaimAnswer.Busy());
    client.queue(2, ofThree(1));
    client.resize(1);

    client.lookGranted(2);
    forget(client);
  }

  @Test
  default void aLimitThatWasSetCountsWhateverClaimsSayAndWhileNobodyComes() {
    StoreClient client = pool();
    client.resize(2);
    assertThat(client.inspect()).isEqualTo(new Inspection(List.of(), List.of(), 2, 0));

    Grant grant = client.claim(1, ofThree(2));
    client.queue(2, ofThree(1));
    client.withdraw(2);
    client.release(grant);

    assertThat(client.inspect().limit()).hasValue(2);
    assertThat(client.askOnce(3, ofThree(3))).isEqualTo(new ClaimAnswer.Busy());
    forget(client);
  }

  @Test
  default void aLimitThatIsGivenUpCountsUntilNobodyIsThere() {
    StoreClient client = pool();
    client.resize(2);
    Grant grant = client.claim(1, ofThree(1));

    client.resize(Inspection.UNSET);

    assertThat(client.inspect().limit()).hasValue(2);
    client.release(grant);
    assertThat(client.inspect()).isEqualTo(Inspection.unknown(ResourceKind.SEMAPHORE));
    client.claim(2, ofThree(3));
  }

  @Test
  default void aResizeAskedTwiceIsOne() {
    StoreClient holder = pool();
    holder.claim(1, ofThree(3));

    holder.resize(4);
    holder.resize(4);

    assertThat(holder.inspect().available(9)).isEqualTo(1);
    forget(holder);
    forget(holder);
  }

  private static void forget(StoreClient client) {
    client.resize(Inspection.UNSET);
  }
}

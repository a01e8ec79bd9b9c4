package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import org.junit.jupiter.api.Test;

/** Those who enter together. */
interface BarrierRules extends StoreRules {

  ResourceId BARRIER = new ResourceId(ResourceKind.BARRIER, "r");

  /** A party of three. */
  Share PARTY = new Share(1, 3, false);

  private StoreClient barrier() {
    return client().on(BARRIER);
  }

  @Test
  default void theLastOneLetsAllInTogether() {
    StoreClient a = barrier();
    StoreClient b = barrier();
    StoreClient c = barrier();
    a.queue(1, PARTY);
    b.queue(1, PARTY);
    assertThat(c.inspect().waiting()).isEqualTo(2);
    assertThat(c.inspect().limit()).hasValue(3);

    Grant last = c.claim(1, PARTY);

    assertThat(last.confirmed()).isTrue();
    assertThat(a.awaitGranted(1).confirmed()).isTrue();
    b.awaitGranted(1);
    assertThat(a.inspect().waiting()).isZero();
    assertThat(a.lookGranted(1).firstToken()).isLessThan(last.firstToken());
  }

  @Test
  default void whoIsStillInsideDoesNotCountForTheNextGroup() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.queue(2, PARTY);
    client.claim(3, PARTY);

    client.queue(4, PARTY);
    client.queue(5, PARTY);
    Grant last = client.claim(6, PARTY);

    assertThat(client.inspect().holders()).hasSize(6);
    client.release(last);
    assertThat(client.inspect().holders()).hasSize(5);
  }

  @Test
  default void oneTooManyWaitsForTheNextGroup() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.queue(2, PARTY);
    client.claim(3, PARTY);

    client.queue(4, PARTY);

    client.lookQueued(4);
    assertThat(client.inspect().waiting()).isEqualTo(1);
  }

  @Test
  default void whoWentAwayIsNotCounted() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.queue(2, PARTY);

    client.withdraw(1);

    client.queue(3, PARTY);
    client.claim(4, PARTY);
    client.lookGone(1);
  }

  @Test
  default void whoWithdrawsGetsToKnowWhetherItHadPassed() {
    StoreClient a = barrier();
    StoreClient b = barrier();
    a.queue(1, PARTY);
    a.queue(2, PARTY);
    assertThat(a.withdraw(2)).isFalse();
    assertThat(a.withdraw(9)).as("it was never made").isFalse();
    a.queue(3, PARTY);
    b.claim(1, PARTY);

    assertThat(a.withdraw(1)).as("the last has come").isTrue();
    assertThat(a.withdraw(3)).isTrue();
    assertThat(b.withdraw(1)).isTrue();
    assertThat(a.inspect()).isEqualTo(Inspection.unknown(ResourceKind.BARRIER));
  }

  @Test
  default void aCopyOfWhatWasTakenBackIsNotCounted() {
    StoreClient a = barrier();
    StoreClient b = barrier();
    a.queue(1, PARTY);
    a.withdraw(1);
    a.withdraw(2); // overtakes its claim

    assertThat(a.ask(a.request(1, PARTY))).isEqualTo(new ClaimAnswer.Busy());
    assertThat(a.ask(a.request(2, PARTY))).isEqualTo(new ClaimAnswer.Busy());

    a.lookGone(1);
    a.lookGone(2);
    assertThat(a.inspect()).isEqualTo(Inspection.unknown(ResourceKind.BARRIER));
    b.queue(1, PARTY); // another client's
    b.queue(2, PARTY);
    assertThat(a.ask(a.request(1, PARTY))).isEqualTo(new ClaimAnswer.Busy());
    assertThat(b.inspect().waiting()).isEqualTo(2);
    b.claim(3, PARTY);
  }

  @Test
  default void aCopyOfWhatHasPassedAndWasTakenBackIsNotCounted() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.queue(2, PARTY);
    client.claim(3, PARTY);

    client.withdraw(1);
    client.withdraw(3);
    client.withdraw(3);

    assertThat(client.ask(client.request(1, PARTY))).isEqualTo(new ClaimAnswer.Busy());
    assertThat(client.ask(client.request(3, PARTY))).isEqualTo(new ClaimAnswer.Busy());
    assertThat(client.inspect().waiting()).isZero();
    assertThat(client.inspect().holders()).hasSize(1);
    client.lookGranted(2);
  }

  @Test
  default void anEmptyBarrierTakesTheNextSizeAlthoughSomebodyHasLeft() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.withdraw(1);

    client.queue(2, new Share(1, 2, false));
    client.claim(3, new Share(1, 2, false));
  }

  @Test
  default void whoDiedIsNotCounted() {
    StoreClient dead = client(SHORT_HEARTBEAT).on(BARRIER);
    StoreClient alive = client(SHORT_HEARTBEAT).on(BARRIER);
    dead.queue(1, PARTY);
    dies(dead);
    passBeyond(HEARTBEAT_MILLIS / 2);
    alive.queue(1, PARTY);
    passBeyond(HEARTBEAT_MILLIS / 2);

    alive.queue(2, PARTY);

    assertThat(alive.inspect().waiting()).isEqualTo(2);
    alive.claim(3, PARTY);
    alive.lookGranted(1);
    alive.lookGranted(2);
    if (countsHeartbeats()) {
      dead.lookGone(1);
    }
  }

  @Test
  default void askingAgainIsNotAnotherParty() {
    StoreClient client = barrier();
    client.queue(1, PARTY);
    client.queue(1, PARTY);
    client.queue(1, PARTY);

    client.queue(2, PARTY);
    Grant last = client.claim(3, PARTY);

    assertThat(client.claim(3, PARTY).firstToken()).isEqualTo(last.firstToken());
    assertThat(client.inspect().holders()).hasSize(3);
  }

  @Test
  default void whoDoesNotWaitEntersOnlyAsTheLastOne() {
    StoreClient client = barrier();
    assertThat(client.askOnce(1, PARTY)).isEqualTo(new ClaimAnswer.Busy());
    client.queue(2, PARTY);
    assertThat(client.askOnce(3, PARTY)).isEqualTo(new ClaimAnswer.Busy());
    client.queue(4, PARTY);

    assertThat(client.askOnce(5, PARTY)).isInstanceOf(ClaimAnswer.Granted.class);

    client.lookGranted(2);
    client.lookGranted(4);
  }

  @Test
  default void aBarrierOfOneIsOpen() {
    barrier().claim(1, new Share(1, 1, false));
  }

  @Test
  default void groupsFollowEachOther() {
    StoreClient a = barrier();
    StoreClient b = barrier();
    StoreClient c = barrier();
    for (long round = 1; round <= 20; round++) {
      a.queue(round, PARTY);
      b.queue(round, PARTY);
      c.release(c.claim(round, PARTY));
      a.release(a.awaitGranted(round));
      b.release(b.awaitGranted(round));
    }
    assertThat(a.inspect()).isEqualTo(Inspection.unknown(ResourceKind.BARRIER));
  }
}

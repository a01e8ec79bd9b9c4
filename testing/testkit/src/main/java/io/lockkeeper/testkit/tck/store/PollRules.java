package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The truth behind lost answers and lost notifications. */
interface PollRules extends StoreRules {

  @Test
  default void aHolderSeesItsGrantAndWhatRemainsOfIt() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 3));
    passBeyond(SHORT_MILLIS);

    Grant seen = client.lookGranted(1);

    assertThat(seen.grant()).isEqualTo(grant.grant());
    assertThat(seen.claims()).isEqualTo(grant.claims());
    assertThat(seen.firstToken()).isEqualTo(grant.firstToken());
    assertThat(seen.lastToken()).isEqualTo(grant.lastToken());
    assertThat(seen.leaseMicros())
        .isPositive()
        .isLessThanOrEqualTo((LEASE_MILLIS - SHORT_MILLIS) * 1_000);
  }

  @Test
  default void aHolderSeesItsGrantByWhateverClaimItAsks() {
    StoreClient client = client();
    client.claim(1);
    client.queue(2);

    assertThat(client.lookGranted(2).grant()).isEqualTo(1);
    assertThat(client.lookGranted(77).grant()).isEqualTo(1);
  }

  @Test
  default void aWaiterSeesThatItWaits() {
    StoreClient waiter = client();
    client().claim(1);
    Queued queued = waiter.queue(1);

    Queued seen = waiter.lookQueued(1);

    assertThat(seen.arrival()).isEqualTo(queued.arrival());
    assertThat(seen.holderMicros()).isPositive().isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void whoNeitherHoldsNorWaitsIsTold() {
    StoreClient client = client();
    client().claim(1);

    client.lookGone(1);
    client.on(ResourceId.lock("never seen")).lookGone(1);
  }

  @Test
  default void aClaimThatDoesNotWaitIsToldSoThoughAnotherOneDoes() {
    StoreClient client = client();
    client().claim(1);
    client.queue(2);

    client.lookGone(1);
  }

  @Test
  default void lookingDoesNotProlongAGrant() {
    StoreClient client = client();
    client.claim(client.request(1, SHORT_MILLIS, 1));
    client.poll(1);
    passBeyond(SHORT_MILLIS);

    client.lookGone(1);
  }

  @Test
  default void aWaiterLetInByItsOwnLookIsAnsweredItsGrant() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(holder.request(1, KEPT_MILLIS, 1));
    waiter.queue(1);
    passBeyond(KEPT_MILLIS);

    assertThat(waiter.lookGranted(1).claims()).containsExactly(1L);
  }

  @Test
  default void aBatchOfLooksIsAnsweredInOrder() {
    StoreClient client = client();
    StoreClient other = client();
    client.on(ResourceId.lock("held")).claim(1);
    other.on(ResourceId.lock("waited for")).claim(1);
    client.on(ResourceId.lock("waited for")).queue(2);

    List<PollAnswer> answers =
        client.poll(
            List.of(
                new PollRequest(ResourceId.lock("waited for"), 2),
                new PollRequest(ResourceId.lock("unknown"), 3),
                new PollRequest(ResourceId.lock("held"), 1)));

    assertThat(answers.get(0)).isInstanceOf(Queued.class);
    assertThat(answers.get(1)).isInstanceOf(PollAnswer.Gone.class);
    assertThat(answers.get(2)).isInstanceOf(PollAnswer.Granted.class);
  }

  @Test
  default void aLargeBatchOfLooksIsAnsweredWhole() {
    StoreClient client = client();
    List<PollRequest> batch = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      client.on(ResourceId.lock("r" + i)).claim(i);
      batch.add(new PollRequest(ResourceId.lock("r" + i), i));
    }

    assertThat(client.poll(batch)).hasSize(250).allMatch(PollAnswer.Granted.class::isInstance);
  }
}

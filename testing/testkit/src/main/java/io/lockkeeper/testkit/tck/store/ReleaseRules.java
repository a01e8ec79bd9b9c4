package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseAnswer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The end of a grant, and the claim that may come with it. */
interface ReleaseRules extends StoreRules {

  @Test
  default void aReleasedResourceIsFree() {
    StoreClient client = client();
    Grant grant = client.claim(1);

    ReleaseAnswer answer = client.release(grant);

    assertThat(answer).isEqualTo(new ReleaseAnswer(true, null, null));
    assertThat(client.inspect()).isEqualTo(new Inspection(null, List.of()));
    client().claim(1);
  }

  @Test
  default void aRepeatedReleaseSaysSoAndTouchesNobody() {
    StoreClient client = client();
    StoreClient next = client();
    Grant grant = client.claim(1);
    client.release(grant);
    next.claim(1);

    assertThat(client.release(grant).released()).isFalse();

    assertThat(next.lookGranted(1).grant()).isEqualTo(1);
  }

  @Test
  default void aReleaseOfAnotherClientsGrantTouchesNobody() {
    StoreClient holder = client();
    Grant grant = holder.claim(1);

    assertThat(client().release(grant).released()).isFalse();

    holder.lookGranted(1);
  }

  @Test
  default void aReleaseOfAnEarlierGrantDoesNotEndTheCurrentOne() {
    StoreClient client = client();
    Grant first = client.claim(1);
    client.release(first);
    Grant second = client.claim(2);

    ReleaseAnswer answer = client.release(first);

    assertThat(answer.released()).isFalse();
    assertThat(Objects.requireNonNull(answer.next()).grant()).isEqualTo(second.grant());
    client.lookGranted(2);
  }

  @Test
  default void aReleaseOfAnEarlierGrantOfTheSameNumberEndsNothing() {
    StoreClient client = client();
    Grant before = client.claim(client.request(1, StoreRules.LEASE_MILLIS, 5));
    client.forceRelease();
    Grant again = client.claim(1); // a copy that was late

    assertThat(client.release(before, before.firstToken() - 1, null).released()).isFalse();
    client.queue(2);
    assertThat(client.release(before, before.firstToken(), null).released()).isFalse();

    client.lookGranted(1);
    assertThat(client.release(again).released()).isTrue();
  }

  @Test
  default void aReleaseAfterTheEndSaysSoAndTouchesNobody() {
    StoreClient late = client();
    StoreClient next = client();
    Grant grant = late.claim(late.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);
    next.claim(1);

    assertThat(late.release(grant)).isEqualTo(new ReleaseAnswer(false, null, null));

    next.lookGranted(1);
  }

  @Test
  default void aReleaseAfterTheEndSaysSoEvenIfNobodyCameSince() {
    StoreClient late = client();
    Grant grant = late.claim(late.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    assertThat(late.release(grant).released()).isFalse();
  }

  @Test
  default void theClientsOwnNextGrantIsInTheAnswer() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client.queue(2);

    ReleaseAnswer answer = client.release(grant);

    Grant next = Objects.requireNonNull(answer.next());
    assertThat(next.claims()).containsExactly(2L);
    assertThat(next.firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void anotherClientsNextGrantIsNotInTheAnswer() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client().queue(1);

    assertThat(client.release(grant)).isEqualTo(new ReleaseAnswer(true, null, null));
  }

  @Test
  default void aRequeuedClaimIsLetInIfNobodyElseWaits() {
    StoreClient client = client();
    Grant grant = client.claim(1);

    ReleaseAnswer answer = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(answer.released()).isTrue();
    assertThat(Objects.requireNonNull(answer.next()).claims()).containsExactly(2L);
    assertThat(answer.requeued()).isNull();
    assertThat(client.lookGranted(2).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void aRequeuedClaimWaitsBehindThoseWhoWaitAlready() {
    StoreClient client = client();
    StoreClient other = client();
    Grant grant = client.claim(1);
    long before = other.queue(1).arrival();

    ReleaseAnswer answer = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(answer.released()).isTrue();
    assertThat(answer.next()).isNull();
    assertThat(Objects.requireNonNull(answer.requeued()).arrival()).isGreaterThan(before);
    other.release(other.lookGranted(1));
    client.lookGranted(2);
  }

  @Test
  default void aRequeuedClaimJoinsTheRunOfItsClientThatIsLetIn() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client.queue(2);

    ReleaseAnswer answer = client.release(grant, grant.lastToken(), client.request(3));

    assertThat(Objects.requireNonNull(answer.next()).claims()).containsExactly(2L, 3L);
    assertThat(answer.requeued()).isNull();
  }

  @Test
  default void aRequeuedClaimCountsEvenIfTheGrantIsNotCurrent() {
    StoreClient client = client();
    StoreClient other = client();
    Grant grant = client.claim(1);
    client.forceRelease();
    Grant current = other.claim(1);

    ReleaseAnswer answer = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(answer.released()).isFalse();
    assertThat(answer.requeued()).isNotNull();
    other.release(current);
    client.lookGranted(2);
  }

  @Test
  default void aRequeuedClaimIsLetInEvenIfTheGrantIsOver() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, SHORT_MILLIS, 1));
    passBeyond(SHORT_MILLIS);

    ReleaseAnswer answer = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(answer.released()).isFalse();
    assertThat(Objects.requireNonNull(answer.next()).claims()).containsExactly(2L);
  }

  @Test
  default void aRepeatedReleaseWithARequeueHasNoFurtherEffect() {
    StoreClient client = client();
    StoreClient other = client();
    Grant grant = client.claim(1);
    other.queue(1);
    ReleaseAnswer first = client.release(grant, grant.lastToken(), client.request(2));

    ReleaseAnswer again = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(again.released()).isFalse();
    assertThat(Objects.requireNonNull(again.requeued()).arrival())
        .isEqualTo(Objects.requireNonNull(first.requeued()).arrival());
    assertThat(client.inspect().waiting()).isEqualTo(1);
  }

  @Test
  default void aRepeatedReleaseWhoseRequeueWasLetInAnswersItsGrant() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    ReleaseAnswer first = client.release(grant, grant.lastToken(), client.request(2));

    ReleaseAnswer again = client.release(grant, grant.lastToken(), client.request(2));

    assertThat(again.released()).isFalse();
    assertThat(again.requeued()).isNull();
    assertThat(Objects.requireNonNull(again.next()).firstToken())
        .isEqualTo(Objects.requireNonNull(first.next()).firstToken());
  }

  @Test
  default void aRequeueKeepsTheClientsOtherClaimsAlive() {
    StoreClient client = client(SHORT_HEARTBEAT);
    StoreClient other = client(SHORT_HEARTBEAT);
    Grant grant = client.claim(1);
    other.queue(1);
    client.queue(2);
    passBeyond(HEARTBEAT_MILLIS / 2);
    other.lookQueued(1);
    client.release(grant, grant.lastToken(), client.request(3));
    Grant current = other.lookGranted(1);
    other.renew(current, LEASE_MILLIS);
    passBeyond(HEARTBEAT_MILLIS / 2);

    other.release(current);

    assertThat(client.lookGranted(2).claims()).containsExactly(2L, 3L);
  }
}

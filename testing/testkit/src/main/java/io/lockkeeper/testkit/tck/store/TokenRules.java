package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import org.junit.jupiter.api.Test;

/** Tokens only grow. */
interface TokenRules extends StoreRules {

  @Test
  default void tokensGrowOverReleases() {
    StoreClient client = client();
    long largest = 0;
    for (int claim = 1; claim <= 50; claim++) {
      Grant grant = client.claim(claim);
      assertThat(grant.firstToken()).isGreaterThan(largest);
      assertThat(grant.lastToken()).isEqualTo(grant.firstToken());
      largest = grant.lastToken();
      client.release(grant);
    }
  }

  @Test
  default void aBlockHasAsManyTokensAsWereAskedFor() {
    StoreClient client = client();

    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 65));

    assertThat(grant.lastToken() - grant.firstToken()).isEqualTo(64);
  }

  @Test
  default void theNextTokenIsLargerThanEveryUsedOneWhenABlockIsGivenBackInPart() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 1_000));
    long used = grant.firstToken() + 10;

    client.release(grant, used, null);

    assertThat(client.claim(2).firstToken()).isGreaterThan(used);
  }

  @Test
  default void theNextTokenIsLargerThanAWholeUsedBlock() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 1_000));

    client.release(grant);

    assertThat(client.claim(2).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void tokensGrowOverExpiryOfAWholeBlock() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, SHORT_MILLIS, 1_000_000_000));
    passBeyond(SHORT_MILLIS);

    assertThat(client().claim(1).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void tokensGrowOverAForcedReleaseOfAWholeBlock() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 1_000_000_000));
    client.forceRelease();

    assertThat(client().claim(1).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void tokensGrowOverWithdrawalOfAGrant() {
    StoreClient client = client();
    Grant grant = client.claim(client.request(1, LEASE_MILLIS, 1_000_000_000));
    client.withdraw(1);

    assertThat(client().claim(1).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void tokensGrowFromHolderToHolder() {
    StoreClient a = client();
    StoreClient b = client();
    Grant first = a.claim(1);
    b.queue(1);
    a.release(first);
    Grant second = b.lookGranted(1);
    a.queue(2);
    b.release(second);

    assertThat(second.firstToken()).isGreaterThan(first.lastToken());
    assertThat(a.lookGranted(2).firstToken()).isGreaterThan(second.lastToken());
  }

  @Test
  default void theSameClaimNumberAgainLaterHasALargerToken() {
    StoreClient client = client();
    Grant first = client.claim(1);
    client.release(first);

    assertThat(client.claim(1).firstToken()).isGreaterThan(first.lastToken());
  }
}

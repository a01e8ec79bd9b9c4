package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The answers to claims. */
interface ClaimRules extends StoreRules {

  @Test
  default void aFreeResourceIsGrantedAtOnceWithItsFullLease() {
    Grant grant = client().claim(7);

    assertThat(grant.grant()).isEqualTo(7);
    assertThat(grant.claims()).containsExactly(7L);
    assertThat(grant.leaseMicros()).isEqualTo(LEASE_MILLIS * 1_000);
    assertThat(grant.confirmed()).isTrue();
    assertThat(grant.othersWait()).isFalse();
  }

  @Test
  default void aHeldResourceMakesAClaimWait() {
    client().claim(1);

    Queued queued = client().queue(1);

    assertThat(queued.holderMicros()).isPositive().isLessThanOrEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void aClientsOwnClaimsExcludeEachOther() {
    StoreClient client = client();
    client.claim(1);

    client.queue(2);
  }

  @Test
  default void aClaimThatDoesNotWantToWaitIsToldBusyAndLeavesNothingBehind() {
    StoreClient holder = client();
    StoreClient other = client();
    Grant grant = holder.claim(1);

    assertThat(other.askOnce(1)).isEqualTo(new ClaimAnswer.Busy());

    assertThat(holder.inspect().waiting()).isZero();
    holder.release(grant);
    other.lookGone(1);
    assertThat(holder.inspect().holder()).isNull();
  }

  @Test
  default void aClaimThatDoesNotWantToWaitIsGrantedAFreeResource() {
    assertThat(client().askOnce(1)).isInstanceOf(ClaimAnswer.Granted.class);
  }

  @Test
  default void aClaimThatDoesNotWantToWaitDoesNotOvertakeTheQueue() {
    StoreClient holder = client();
    Grant grant = holder.claim(1);
    client().queue(1);
    holder.release(grant);

    assertThat(client().askOnce(1)).isEqualTo(new ClaimAnswer.Busy());
  }

  @Test
  default void aRepeatedClaimIsAnsweredTheSameGrantWithItsLeaseRenewed() {
    StoreClient client = client();
    Grant first = client.claim(1);
    passBeyond(SHORT_MILLIS);
    Grant before = client.lookGranted(1);

    Grant again = client.claim(1);

    assertThat(before.leaseMicros()).isLessThanOrEqualTo((LEASE_MILLIS - SHORT_MILLIS) * 1_000);
    assertThat(again.leaseMicros()).isEqualTo(LEASE_MILLIS * 1_000);
    assertThat(again.grant()).isEqualTo(first.grant());
    assertThat(again.firstToken()).isEqualTo(first.firstToken());
    assertThat(again.lastToken()).isEqualTo(first.lastToken());
  }

  @Test
  default void aRepeatedClaimNeverBringsTheEndForward() {
    StoreClient client = client();
    Grant grant = client.claim(1);
    client.renew(grant, LEASE_MILLIS * 2);

    Grant again = client.claim(1);

    assertThat(again.leaseMicros()).isGreaterThan(LEASE_MILLIS * 1_000);
    assertThat(client.lookGranted(1).leaseMicros()).isGreaterThan(LEASE_MILLIS * 1_000);
  }

  @Test
  default void aRepeatedWaitingClaimKeepsItsPlaceAndIsThereOnce() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(1);
    Queued first = waiter.queue(1);
    client().queue(1);

    assertThat(waiter.queue(1).arrival()).isEqualTo(first.arrival());
    assertThat(holder.inspect().waiting()).isEqualTo(2);
  }

  @Test
  default void aRepeatedClaimThatWasGrantedMeanwhileIsAnsweredItsGrant() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    waiter.queue(1);
    holder.release(grant);

    assertThat(waiter.claim(1).leaseMicros()).isEqualTo(LEASE_MILLIS * 1_000);
  }

  @Test
  default void claimsOfTwoClientsWithOneNumberAreTwoClaims() {
    StoreClient holder = client();
    StoreClient other = client();
    Grant grant = holder.claim(1);

    other.queue(1);

    holder.release(grant);
    assertThat(other.lookGranted(1).firstToken()).isGreaterThan(grant.lastToken());
  }

  @Test
  default void resourcesAreIndependentOfEachOtherWhateverTheirNames() {
    StoreClient client = client();
    List<String> names =
        List.of(
            "a", "A", "a ", "{a}", "{a}:queue", "a}", "{}", "a:b", "ключ", "鍵", "😀", "*", "a\\b");
    long claim = 0;
    for (String name : names) {
      client.on(ResourceId.lock(name)).claim(++claim);
    }
    assertThat(client.inspect().holder()).isNull();
  }

  @Test
  default void ofManyClaimsAtOnceOneIsGranted() throws InterruptedException {
    List<StoreClient> clients = List.of(client(), client(), client());
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Future<ClaimAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 48; i++) {
        StoreClient client = clients.get(i % clients.size());
        long claim = i;
        answers.add(threads.submit(() -> client.ask(client.request(claim))));
      }
      long granted = 0;
      for (Future<ClaimAnswer> answer : answers) {
        if (get(answer) instanceof ClaimAnswer.Granted) {
          granted++;
        }
      }
      assertThat(granted).isEqualTo(1);
      assertThat(clients.get(0).inspect().waiting()).isEqualTo(47);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}

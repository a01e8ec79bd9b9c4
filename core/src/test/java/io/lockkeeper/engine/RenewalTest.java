package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a lease is kept, how it is lengthened, and how it ends. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class RenewalTest {

  private static AcquireOptions fixed(Duration lease) {
    return AcquireOptions.defaults().withFixedLease(lease);
  }

  private static List<Outcome<RenewAnswer>> notRenewed() {
    return List.of(Outcome.answered(new RenewAnswer(false, false)));
  }

  // ------------------------------------------------------------- by itself

  @Test
  void aLeaseIsRenewedForAsLongAsItIsHeldAndNoLonger() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.pass(Duration.ofMinutes(10));
      assertThat(lease.isValid()).isTrue();
      assertThat(rig.store.renewals.count()).as("every ten seconds").isBetween(60, 70);
      lease.release();
      int renewed = rig.store.renewals.count();
      rig.pass(Duration.ofMinutes(10));

      assertThat(rig.store.renewals.count()).isEqualTo(renewed);
      assertThat(rig.scheduler.pending()).isZero();
    }
  }

  @Test
  void aLeaseCountsFromTheSendingOfTheRequestThatBroughtIt() {
    try (Rig rig = Rig.silent()) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      rig.freeze(Duration.ofSeconds(4)); // on its way
      call.reply(ScriptedStore.granted(rig.store.grant(call.request)));
      Lease lease = rig.got(request);

      assertThat(lease.remaining())
          .isEqualTo(Rig.LEASE.minusSeconds(4).minusMillis(302)); // one percent and 2 ms
    }
  }

  @Test
  void aRenewalCountsFromItsSendingToo() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      long sent = rig.time.nanos();
      var call = rig.store.renewals.next();
      rig.freeze(Duration.ofSeconds(5));
      call.reply(ScriptedStore.renewed(call.request, false));

      assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(30_000 - 5_000 - 302));
      assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(22));
      assertThat(rig.time.nanos() - sent).isEqualTo(Duration.ofSeconds(5).toNanos());
    }
  }

  /** The thread with the answer has read the clock, and is held up before it does anything. */
  @Test
  void aRenewalThatIsAnsweredWhileSomebodySeesTheLeaseOverComesTooLate() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      var call = rig.store.renewals.next();
      rig.freeze(Duration.ofSeconds(20));
      assertThat(lease.isValid()).isFalse();
      rig.time.advance(Duration.ofSeconds(-5)); // what that thread has read
      call.reply(ScriptedStore.renewed(call.request, false));

      assertThat(lease.isValid()).isFalse();
      assertThat(lease.lost().toCompletableFuture().join().reason()).isEqualTo(Reason.EXPIRED);
      assertThat(rig.store.releases.count()).isOne();
    }
  }

  /** As above, where only the length that was fixed is over. */
  @Test
  void aFixedLeaseThatSomebodySeesOverIsNotLengthened() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(10))));
      renew(rig, lease, Duration.ofSeconds(60));
      renew(rig, lease, Duration.ofSeconds(10)); // at the store it lasts for longer
      rig.store.renewals.manual();
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofSeconds(10));
      rig.pass(Duration.ofMillis(1));
      var call = rig.store.renewals.next();
      rig.freeze(Duration.ofSeconds(10));
      assertThat(lease.isValid()).isFalse();
      rig.time.advance(Duration.ofSeconds(-1));
      call.reply(ScriptedStore.renewed(call.request, false));

      assertThat(lease.isValid()).isFalse();
      assertThat(Actor.end(begun)).isInstanceOf(LeaseLostException.class);
      assertThat(lease.lost().toCompletableFuture().join().reason())
          .isEqualTo(Reason.FIXED_LEASE_ENDED);
    }
  }

  @Test
  void renewalGoesOnThroughFailuresUntilTheLeasesEnd() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.always(ScriptedStore::silence);
      rig.pass(Duration.ofSeconds(29));
      assertThat(lease.isValid()).isTrue();
      assertThat(rig.store.renewals.count()).isGreaterThan(10);
      assertThat(rig.events(LockEvent.RenewalFailed.class))
          .hasSizeGreaterThan(10)
          .allMatch(failed -> failed.token() == lease.token())
          .extracting(LockEvent.RenewalFailed::remaining)
          .isSortedAccordingTo(Comparator.reverseOrder())
          .noneMatch(left -> left.isNegative() || left.isZero());
      rig.store.renewals.always(batch -> ScriptedStore.renewed(batch, false));
      rig.pass(Duration.ofMinutes(1));

      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void renewalOfOneLeaseThatFailsDisturbsNoOther() {
    try (Rig rig = Rig.obliging()) {
      Lease doomed = rig.got(rig.keeper.lock("doomed").acquireAsync());
      Lease other = rig.got(rig.keeper.lock("other").acquireAsync());
      rig.store.renewals.always(
          batch -> {
            if (batch.stream()
                .anyMatch(request -> request.resource().equals(ResourceId.lock("doomed")))) {
              return batch.stream()
                  .map(
                      request ->
                          request.resource().equals(ResourceId.lock("doomed"))
                              ? ScriptedStore.<RenewAnswer>silence()
                              : Outcome.answered(new RenewAnswer(true, false)))
                  .toList();
            }
            return ScriptedStore.renewed(batch, false);
          });
      rig.pass(Duration.ofMinutes(2));

      assertThat(doomed.isValid()).isFalse();
      assertThat(other.isValid()).isTrue();
    }
  }

  @Test
  void aLateRenewalBringsNothingBackToLife() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Rig.LEASE);
      assertThat(lease.isValid()).isFalse();
      var late = rig.store.renewals.next();
      late.reply(ScriptedStore.renewed(late.request, false));
      rig.settle();

      assertThat(lease.isValid()).isFalse();
      assertThat(lease.remaining()).isZero();
      assertThat(rig.events(LockEvent.Lost.class))
          .extracting(LockEvent.Lost::reason)
          .containsExactly(Reason.EXPIRED);
    }
  }

  @Test
  void aRenewalAnsweredAfterTheEndOfAFrozenHolderBringsNothingBackToLife() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      rig.freeze(Rig.LEASE); // nothing of this client ran, not even the notice of the loss
      assertThat(lease.isValid()).isFalse();
      var late = rig.store.renewals.next();
      late.reply(ScriptedStore.renewed(late.request, false));

      assertThat(lease.isValid()).isFalse();
      assertThat(rig.events(LockEvent.Lost.class)).hasSize(1);
    }
  }

  @Test
  void aGrantOutOfTheQueueIsConfirmedWithinAnEighthOfASecond() {
    try (Rig rig = Rig.silent()) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.queued(1));
      rig.store.notifications.granted(
          ResourceId.lock("a"), rig.store.grant(List.of(call.request), false, false, 1_000));
      Lease lease = rig.got(request);
      rig.pass(Duration.ofMillis(125));
      var confirmation = rig.store.renewals.next();

      assertThat(confirmation.request)
          .containsExactly(new RenewRequest(ResourceId.lock("a"), 1, Rig.LEASE.toMillis()));
      confirmation.reply(ScriptedStore.renewed(confirmation.request, false));
      assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(29));
    }
  }

  @Test
  void aGrantOutOfTheQueueThatIsReleasedSoonNeedsNoConfirmation() {
    try (Rig rig = Rig.silent()) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.queued(1));
      rig.store.notifications.granted(
          ResourceId.lock("a"), rig.store.grant(List.of(call.request), false, false, 1_000));
      rig.pass(Duration.ofMillis(100));
      rig.got(request).release();
      rig.pass(Duration.ofMillis(100));

      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void whereAGrantOutOfTheQueueMustBeConfirmedItIsServedOnlyThen() {
    ScriptedStore store = new ScriptedStore();
    store.traits = new io.lockkeeper.spi.StoreTraits(true, true);
    try (Rig rig = Rig.on(store)) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = store.claims.next();
      call.reply(ScriptedStore.queued(1));
      store.notifications.granted(
          ResourceId.lock("a"), store.grant(List.of(call.request), false, false, 1_000));
      rig.pass(Duration.ofMillis(1));
      var confirmation = store.renewals.next();
      assertThat(rig.isWaiting(request)).isTrue();
      confirmation.reply(ScriptedStore.renewed(confirmation.request, false));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  // ------------------------------------------------------------- fixed leases

  @Test
  void aFixedLeaseIsNotRenewedAndEndsByItself() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(5))));
      rig.pass(Duration.ofMillis(4_900));
      assertThat(lease.isValid()).isTrue();
      rig.pass(Duration.ofMillis(101));

      assertThat(lease.isValid()).isFalse();
      assertThat(rig.store.renewals.count()).isZero();
      assertThat(rig.events(LockEvent.Lost.class))
          .extracting(LockEvent.Lost::reason)
          .containsExactly(Reason.FIXED_LEASE_ENDED);
      assertThat(rig.store.log).containsExactly("claim 1", "release 1");
    }
  }

  @Test
  void aFixedLeaseIsWhatTheStoreIsAskedFor() {
    try (Rig rig = Rig.silent()) {
      rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(5)));

      assertThat(rig.store.claims.next().request.leaseMillis()).isEqualTo(5_000);
    }
  }

  @Test
  void afterTheEndOfAFixedLeaseItsThreadMayLockAgain() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock(AcquireOptions.defaults().withFixedLease(Duration.ofSeconds(1)));
      long first = lock.token();
      rig.pass(Duration.ofSeconds(2));
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      lock.lock();

      assertThat(lock.token()).isGreaterThan(first);
      assertThat(lock.getHoldCount()).isEqualTo(1);
    }
  }

  @Test
  void theEndOfAFixedLeaseLetsTheNextOfThisClientIn() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Lease first = rig.got(lock.acquireAsync(fixed(Duration.ofSeconds(5))));
      var second = lock.acquireAsync();
      rig.pass(Duration.ofSeconds(5));

      assertThat(first.isValid()).isFalse();
      assertThat(rig.got(second).token()).isGreaterThan(first.token());
    }
  }

  @Test
  void aLeaseGivenOnReentryIsIgnored() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.lock(AcquireOptions.defaults().withFixedLease(Duration.ofSeconds(1)));
      rig.pass(Duration.ofSeconds(5));

      assertThat(lock.getHoldCount()).isEqualTo(2);
    }
  }

  // ------------------------------------------------------------- by hand

  @Test
  void aLeaseRenewedByHandIsValidForThatTimeFromTheCall() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(5))));
      rig.freeze(Duration.ofSeconds(3));
      Duration after = renew(rig, lease, Duration.ofSeconds(60));

      assertThat(after).isEqualTo(Duration.ofSeconds(60));
    }
  }

  /** Renews, and returns what remained as soon as the call had returned. */
  private static Duration renew(Rig rig, Lease lease, Duration wished) {
    CompletableFuture<Void> begun = beginRenewal(rig, lease, wished);
    rig.pass(Duration.ZERO);
    Actor.get(begun);
    return lease.remaining();
  }

  /** Has a thread ask for a renewal, and returns when it waits for the answer. */
  private static CompletableFuture<Void> beginRenewal(Rig rig, Lease lease, Duration wished) {
    Actor renewer = rig.actor("renewer");
    CompletableFuture<Void> begun = renewer.begin(() -> lease.renew(wished));
    renewer.awaitAsking();
    return begun;
  }

  @Test
  void aRenewalThatWasSentBeforeTheCallDoesNotAnswerIt() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      var background = rig.store.renewals.next(); // under way, for 30 seconds
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofHours(1));
      background.reply(ScriptedStore.renewed(background.request, false));
      rig.pass(Duration.ofMillis(1));
      var own = rig.store.renewals.next();
      assertThat(begun).isNotDone();
      own.reply(ScriptedStore.renewed(own.request, false));
      Actor.get(begun);

      assertThat(own.request.get(0).leaseMillis())
          .isGreaterThanOrEqualTo(Duration.ofHours(1).toMillis());
      assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(59));
    }
  }

  @Test
  void twoRenewalsByHandAtOnceGiveTheLongerTime() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      CompletableFuture<Void> longer = beginRenewal(rig, lease, Duration.ofHours(1));
      CompletableFuture<Void> shorter = beginRenewal(rig, lease, Duration.ofMinutes(1));
      rig.pass(Duration.ofMillis(1));
      Actor.get(longer);
      Actor.get(shorter);

      assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(59));
    }
  }

  @Test
  void aRenewalByHandWithoutAnAnswerLeavesTheOldEnd() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(20))));
      rig.store.renewals.always(ScriptedStore::silence);
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofHours(1));
      rig.pass(Duration.ofMillis(1));
      assertThat(Actor.end(begun)).isInstanceOf(StoreUnavailableException.class);
      rig.store.renewals.always(batch -> ScriptedStore.renewed(batch, false));
      rig.pass(Duration.ofSeconds(19));
      assertThat(lease.isValid()).isTrue();
      rig.pass(Duration.ofSeconds(1));

      assertThat(lease.isValid()).isFalse();
    }
  }

  @Test
  void aShorteningByHandWithoutAnAnswerLeavesTheOldEnd() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(20))));
      rig.store.renewals.always(ScriptedStore::silence);
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofSeconds(1));
      rig.pass(Duration.ofMillis(1));
      assertThat(Actor.end(begun)).isInstanceOf(StoreUnavailableException.class);
      rig.pass(Duration.ofSeconds(19));

      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aFixedLeaseMayBeShortenedByHand() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(20))));
      Duration after = renew(rig, lease, Duration.ofSeconds(1));

      assertThat(after).isEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void aLostLeaseCannotBeRenewedByHand() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync(fixed(Duration.ofSeconds(1))));
      rig.freeze(Duration.ofSeconds(2));

      assertThatExceptionOfType(LeaseLostException.class)
          .isThrownBy(() -> lease.renew(Duration.ofSeconds(5)));
    }
  }

  @Test
  void aLeaseFoundLostByItsRenewalSaysSo() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.always(batch -> notRenewed());
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofHours(1));
      rig.pass(Duration.ofMillis(1));

      assertThat(Actor.end(begun))
          .isInstanceOfSatisfying(
              LeaseLostException.class,
              lost -> assertThat(lost.loss().reason()).isEqualTo(Reason.NOT_AT_STORE));
    }
  }

  @Test
  void aReleasedLeaseCannotBeRenewed() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      lease.release();

      assertThatIllegalStateException()
          .isThrownBy(() -> lease.renew(Duration.ofSeconds(5)))
          .withMessage("this lease of 'a' was released");
    }
  }

  @Test
  void aRenewalUnderWayWhenTheLeaseIsReleasedEndsWithThat() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      CompletableFuture<Void> begun = beginRenewal(rig, lease, Duration.ofHours(1));
      rig.pass(Duration.ofMillis(1));
      rig.store.renewals.next();
      lease.release();

      assertThat(Actor.end(begun)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aLeaseOutOfBoundsIsRefusedBeforeAnythingIsAsked() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());

      assertThatIllegalArgumentException().isThrownBy(() -> lease.renew(Duration.ofMillis(49)));
      assertThatIllegalArgumentException().isThrownBy(() -> lease.renew(Duration.ofHours(25)));
      assertThat(rig.store.renewals.count()).isZero();
    }
  }

  @Test
  void aPushedGrantIsDatedByThePairOfClocks() {
    try (Rig rig = Rig.silent()) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      // The store's clock shows 5 s when it answers; 10 s later by it, it decides.
      call.reply(Outcome.answered(new io.lockkeeper.spi.Queued(5_000_000, 60_000_000, 1)));
      rig.freeze(Duration.ofSeconds(14)); // the push took 4 seconds
      Grant grant = new Grant(1, List.of(1L), 10, 1_000, 15_000_000, 30_000_000, false, true);
      rig.store.notifications.granted(ResourceId.lock("a"), grant);

      // 4 s on the way, 1 % of 10 s for drift between the readings, and the lease's own margin.
      assertThat(rig.got(request).remaining()).isEqualTo(Duration.ofMillis(30_000 - 4_100 - 302));
    }
  }

  @Test
  void aPushedGrantOfAStoreWithoutAClockIsDatedByTheClaim() {
    try (Rig rig = Rig.silent()) {
      var request = rig.keeper.lock("a").acquireAsync();
      var call = rig.store.claims.next();
      call.reply(ScriptedStore.queued(1));
      rig.freeze(Duration.ofSeconds(14));
      rig.store.notifications.granted(ResourceId.lock("a"), rig.store.grant(call.request));

      assertThat(rig.got(request).remaining()).isEqualTo(Duration.ofMillis(30_000 - 14_000 - 302));
    }
  }
}

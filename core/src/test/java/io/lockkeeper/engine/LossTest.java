package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How holders hear that they have lost a lease, and what they can do then. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class LossTest {

  private static List<Outcome<RenewAnswer>> gone(List<?> batch) {
    return batch.stream().map(r -> Outcome.answered(new RenewAnswer(false, false))).toList();
  }

  // ------------------------------------------------------------- the notice

  @Test
  void aHolderHearsOfItsLossWhileTheStoreNeverAnswers() throws Exception {
    ScriptedStore store = new ScriptedStore();
    store.claims.always(request -> ScriptedStore.granted(store.grant(request)));
    Lockkeeper keeper =
        Lockkeeper.builder().lease(Duration.ofMillis(300)).connect(context -> store);
    Lease lease = keeper.lock("a").acquire();
    CompletableFuture<String> thread = new CompletableFuture<>();
    lease.onLost(loss -> thread.complete(loss.reason() + " " + Thread.currentThread().getName()));

    assertThat(thread.get(Deadlines.GENEROUS.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("EXPIRED lockkeeper-callback");
    assertThat(lease.isValid()).isFalse();
    assertThat(store.renewals.count()).as("asked, and not answered").isPositive();
    store.oblige();
    keeper.close();
  }

  @Test
  void aLossIsNoticedByItsEndAndNotBefore() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      List<LeaseLost> heard = new ArrayList<>();
      lease.onLost(heard::add);
      rig.pass(Duration.ofMillis(30_000 - 302 - 1));
      assertThat(lease.isValid()).isTrue();
      assertThat(heard).isEmpty();
      rig.pass(Duration.ofMillis(2));

      assertThat(lease.isValid()).isFalse();
      assertThat(heard)
          .containsExactly(new LeaseLost(ResourceKind.LOCK, "a", lease.token(), Reason.EXPIRED));
    }
  }

  @Test
  void validityEndsByItselfEvenIfNothingOfTheClientRuns() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.freeze(Rig.LEASE);

      assertThat(lease.isValid()).isFalse();
      assertThat(lease.remaining()).isZero();
    }
  }

  @Test
  void everyActionIsCalledOnceAlsoWhenGivenAfterTheLoss() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      List<String> heard = new ArrayList<>();
      lease.onLost(loss -> heard.add("before"));
      rig.pass(Rig.LEASE);
      lease.onLost(loss -> heard.add("after"));
      rig.pass(Rig.LEASE);

      assertThat(heard).containsExactly("before", "after");
      assertThat(lease.lost().toCompletableFuture()).isCompleted();
    }
  }

  @Test
  void aReleaseIsNoLoss() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      List<LeaseLost> heard = new ArrayList<>();
      lease.onLost(heard::add);
      lease.release();
      lease.onLost(heard::add);
      rig.pass(Duration.ofMinutes(5));

      assertThat(heard).isEmpty();
      assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void anActionThatFailsIsLoggedAndDisturbsNoOther() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.manual();
      List<LeaseLost> heard = new ArrayList<>();
      lease.onLost(
          loss -> {
            throw new IllegalStateException("the action's own");
          });
      lease.onLost(heard::add);
      rig.pass(Rig.LEASE);

      assertThat(heard).hasSize(1);
      assertThat(log.messages()).containsExactly("'a': an onLost action failed");
    }
  }

  @Test
  void whatALossStageIsUsedForCannotCompleteIt() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      lease
          .lost()
          .toCompletableFuture()
          .complete(new LeaseLost(ResourceKind.LOCK, "a", 0, Reason.EXPIRED));

      assertThat(lease.lost().toCompletableFuture()).isNotDone();
      assertThat(lease.isValid()).isTrue();
    }
  }

  // ------------------------------------------------------------- reasons

  @Test
  void aGrantTheStoreNoLongerKnowsIsLostAtTheNextRenewal() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.always(LossTest::gone);
      rig.pass(Duration.ofSeconds(11));

      assertThat(lease.isValid()).isFalse();
      assertThat(rig.events(LockEvent.Lost.class))
          .containsExactly(
              new LockEvent.Lost(ResourceKind.LOCK, "a", lease.token(), Reason.NOT_AT_STORE));
      assertThat(rig.store.releases.count()).as("nothing to release").isZero();
    }
  }

  @Test
  void aNotificationThatTheGrantWasTakenAwayIsCheckedAtOnce() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.renewals.always(LossTest::gone);
      rig.store.notifications.revoked(ResourceId.lock("a"));
      rig.pass(Duration.ofMillis(1));

      assertThat(lease.isValid()).isFalse();
    }
  }

  @Test
  void aWrongNotificationThatTheGrantWasTakenAwayDoesNoHarm() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.notifications.revoked(ResourceId.lock("a"));
      rig.pass(Duration.ofMillis(1));

      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void whoForcesItsOwnLockOpenLosesItAtOnce() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Lease lease = rig.got(lock.acquireAsync());
      rig.store.inspections.always(
          name ->
              Outcome.answered(
                  new Inspection(
                      new Inspection.Holder("it", 1, lease.token(), 1, 1_000, 1_000, ""),
                      List.of())));
      rig.store.forced.always(request -> Outcome.answered(new Forced(true)));
      rig.store.renewals.always(LossTest::gone);
      assertThat(lock.forceUnlock()).isTrue();
      rig.pass(Duration.ofMillis(1));

      assertThat(lease.isValid()).isFalse();
    }
  }

  @Test
  void theLockOfADeadThreadIsReleasedAndItsLossReported() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor owner = rig.actor("owner");
      Lease lease =
          owner.call(
              () -> {
                lock.lock();
                return lock.heldLease();
              });
      List<LeaseLost> heard = new ArrayList<>();
      lease.onLost(heard::add);
      owner.close();
      rig.pass(Duration.ofSeconds(11));

      assertThat(heard).extracting(LeaseLost::reason).containsExactly(Reason.OWNER_DIED);
      assertThat(rig.store.log).contains("release 1");
      assertThat(rig.scheduler.pending()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void theLockOfADeadThreadPassesToTheNextOfThisClient() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor owner = rig.actor("owner");
      long token =
          owner.call(
              () -> {
                lock.lock();
                return lock.token();
              });
      var next = lock.acquireAsync();
      owner.close();
      rig.pass(Duration.ofSeconds(11));

      assertThat(rig.got(next).token()).isEqualTo(token + 1);
    }
  }

  @Test
  void aLeaseIsNotLostWithTheThreadThatAcquiredIt() {
    try (Rig rig = Rig.obliging()) {
      Actor actor = rig.actor("t");
      Lease lease = actor.call(() -> rig.keeper.lock("a").acquire());
      actor.close();
      rig.pass(Duration.ofMinutes(2));

      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aHoldThatWasReleasedIsNotReportedAsLostToo() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.releases.always(
          request -> Outcome.answered(new io.lockkeeper.spi.ReleaseAnswer(false, null, null)));
      lease.release();

      assertThat(rig.events(LockEvent.Released.class)).hasSize(1);
      assertThat(rig.events(LockEvent.Lost.class)).isEmpty();
    }
  }

  // ------------------------------------------------------------- afterwards

  @Test
  void releasingALostLeaseThrowsOnce() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.freeze(Rig.LEASE);

      assertThatExceptionOfType(LeaseLostException.class)
          .isThrownBy(lease::close)
          .withMessage("lease of lock 'a' with token " + lease.token() + " lost: EXPIRED");
      lease.close();
    }
  }

  @Test
  void aThreadThatLostItsLockDoesNotReenterIt() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      rig.freeze(Rig.LEASE);

      assertThat(lock.isHeldByCurrentThread()).isFalse();
      assertThat(lock.getHoldCount()).isZero();
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::tryLock);
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::token);
      assertThat(lock.heldLease().lost().toCompletableFuture()).isCompleted();
    }
  }

  @Test
  void unlockThrowsOnceForEachLockThatWasLostAndThenTheThreadCanBeginAnew() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      lock.lock();
      long token = lock.token();
      rig.freeze(Rig.LEASE);

      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::lock);
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
      assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
      lock.lock();
      assertThat(lock.token()).isGreaterThan(token);
    }
  }

  @Test
  void anotherThreadIsNotTroubledByALoss() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      rig.freeze(Rig.LEASE);
      Actor other = rig.actor("other");
      CompletableFuture<Void> begun = other.begin(() -> lock.lock());
      other.awaitParked();
      rig.pass(Duration.ofMillis(1));
      Actor.get(begun);

      assertThat(other.call(lock::isHeldByCurrentThread)).isTrue();
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
      assertThat(other.call(lock::isHeldByCurrentThread)).isTrue();
    }
  }

  @Test
  void aLossIsRememberedAsLongAsItsThreadLives() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      rig.store.renewals.manual();
      rig.pass(Rig.LEASE);
      rig.pass(Duration.ofHours(3));

      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::token);
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::lock);
      assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);
      assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
      rig.pass(Duration.ofSeconds(3));
      assertThat(rig.scheduler.pending()).as("nothing left to do").isZero();
    }
  }

  @Test
  void theLossOfADeadThreadIsForgotten() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      Actor owner = rig.actor("owner");
      owner.run(lock::lock);
      rig.store.renewals.manual();
      rig.pass(Rig.LEASE);
      rig.pass(Duration.ofMinutes(5));
      assertThat(rig.scheduler.pending()).as("the thread may die").isEqualTo(1);

      owner.close();
      rig.pass(Duration.ofSeconds(3));

      assertThat(rig.scheduler.pending()).as("nothing left to do").isZero();
    }
  }

  @Test
  void whoDoesNotHoldTheLockIsToldNothing() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
      rig.actor("owner").run(lock::lock);

      assertThatExceptionOfType(IllegalMonitorStateException.class)
          .isThrownBy(lock::unlock)
          .withMessage("'a' is not locked by thread '%s'", Thread.currentThread().getName());
      assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::token);
      assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::heldLease);
    }
  }
}

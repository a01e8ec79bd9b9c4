package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chapter "Renewal". */
public abstract class RenewalTck extends TckBase {

  private Lockkeeper shortLived() {
    return client(builder -> builder.lease(KEPT));
  }

  @Test
  @Promise("K1")
  void aHeldLockOutlivesItsLease() throws InterruptedException {
    Lockkeeper keeper = shortLived();
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Lease lease = keeper.fairLock("other").acquire();
    DistributedLock own = client().lock("own", LockOptions.defaults().withLease(KEPT));
    own.lock();
    long token = lock.token();

    outlive(KEPT);

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    assertThat(lock.token()).isEqualTo(token);
    assertThat(lease.isValid()).isTrue();
    assertThat(own.isHeldByCurrentThread()).isTrue();
    assertThat(client().lock(NAME).tryLock()).isFalse();
    lock.unlock();
    lease.release();
    own.unlock();
  }

  @Test
  @Promise("K1")
  void aLockThatWasWaitedForOutlivesItsLeaseToo() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = shortLived().lock(NAME);
    held.lock();
    Worker waiter = worker();
    var got = waiter.begin(lock::lock);
    awaitWaiting(NAME, 1);
    held.unlock();
    Worker.get(got);

    outlive(KEPT);

    assertThat(waiter.call(lock::isHeldByCurrentThread)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("K2")
  void renewalOutlastsAnInterruptionShorterThanTheLease() throws InterruptedException {
    Faults faults = faults();
    Lease lease = client(faults, builder -> builder.lease(KEPT)).lock(NAME).acquire();

    faults.refuse();
    pass(KEPT.dividedBy(3));
    faults.heal();
    pass(KEPT);

    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  @Test
  @Promise("K2")
  void renewalOutlastsLostAnswers() throws InterruptedException {
    Faults faults = faults();
    Lease lease = client(faults, builder -> builder.lease(KEPT)).lock(NAME).acquire();

    faults.loseReplies(2);
    outlive(KEPT);

    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  @Test
  @Promise("K3")
  void nothingIsRenewedAfterTheRelease() {
    Faults faults = faults();
    DistributedLock lock = client(faults, builder -> builder.lease(KEPT)).lock(NAME);
    lock.lock();
    long granted = faults.requests();
    eventually().until(() -> faults.requests() > granted); // it is renewed
    lock.unlock();
    awaitFree(NAME);
    long before = faults.requests();

    pass(KEPT.dividedBy(2));

    assertThat(faults.requests()).isEqualTo(before);
    assertThat(inspect(NAME).holder()).isNull();
  }

  @Test
  @Promise("K3")
  void aReleaseAtTheMomentOfARenewalWins() throws InterruptedException {
    Lockkeeper keeper = client(builder -> builder.lease(Delays.millis(90)));
    for (int i = 0; i < 20; i++) {
      Lease lease = keeper.lock(NAME).acquire();
      pass(Delays.millis(27 + i / 4));
      release(lease);
      awaitFree(NAME);
    }
    pass(Delays.millis(100));
    assertThat(inspect(NAME).holder()).isNull();
  }

  private static void release(Lease lease) {
    try {
      lease.release();
    } catch (LeaseLostException slowMachine) {
      assertThat(slowMachine.loss().reason()).isEqualTo(Reason.EXPIRED);
    }
  }

  @Test
  @Promise("K4")
  void theLockOfADeadThreadIsGivenUp() {
    List<LeaseLost> told = new ArrayList<>();
    DistributedLock lock = shortLived().lock(NAME);
    Worker owner = worker();
    Lease lease =
        owner.call(
            () -> {
              lock.lock();
              lock.lock();
              return lock.heldLease();
            });
    owner.die();

    DistributedLock next = client().lock(NAME);
    next.lock();

    told.add(Worker.outcome(lease.lost()));
    assertThat(told).extracting(LeaseLost::reason).containsExactly(Reason.OWNER_DIED);
    next.unlock();
  }

  @Test
  @Promise("K4")
  void aLeaseThatBelongsToNoThreadOutlivesTheOneThatAcquiredIt() {
    DistributedLock lock = shortLived().lock(NAME);
    Worker acquirer = worker();
    Lease lease = acquirer.call(lock::acquire);
    acquirer.die();

    outlive(KEPT);

    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  @Test
  @Promise("K5")
  void aFixedLeaseCanBeProlongedAndShortenedByHand() throws InterruptedException {
    Lease lease = client().lock(NAME).acquire(fixed(KEPT));

    lease.renew(Duration.ofSeconds(20));
    assertThat(lease.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    outlive(KEPT);
    assertThat(lease.isValid()).isTrue();

    lease.renew(Delays.millis(50));
    eventually().until(() -> !lease.isValid());
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    awaitFree(NAME);
  }

  @Test
  @Promise("K5")
  void aRenewedLeaseCanBeProlongedByHand() throws InterruptedException {
    Lease lease = client(builder -> builder.lease(KEPT)).lock(NAME).acquire();

    lease.renew(Duration.ofSeconds(20));

    assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(10));
    lease.release();
  }

  @Test
  @Promise("K5")
  void aRenewalByHandOfALeaseThatIsOverSaysWhy() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    Lease released = lock.acquire();
    released.release();
    Lease lost = lock.acquire(fixed(Delays.millis(50)));
    eventually().until(() -> !lost.isValid());

    assertThatThrownBy(() -> released.renew(KEPT)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lost.renew(KEPT)).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("K5")
  void aRenewalByHandThatTheStoreDoesNotAnswerLeavesTheOldEnd() throws InterruptedException {
    Faults faults = faults();
    Lease lease = client(faults).lock(NAME).acquire();
    faults.refuse();

    assertThatThrownBy(() -> lease.renew(Duration.ofHours(1)))
        .isInstanceOf(StoreUnavailableException.class);

    assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
    faults.heal();
    lease.release();
  }

  @Test
  @Promise("K6")
  void theLossOfOneLeaseDoesNotDisturbOthers() throws InterruptedException {
    // So many renewals keep a busy machine busy.
    Duration lease = Delays.limit(2_000);
    Lockkeeper keeper = client(builder -> builder.lease(lease));
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      leases.add(keeper.lock("lock-" + i).acquire());
    }
    Lockkeeper other = client();
    for (int i = 0; i < 100; i += 20) {
      other.lock("lock-" + i).forceUnlock();
    }

    outlive(lease);

    assertThat(leases).filteredOn(held -> !held.isValid()).hasSize(5);
    leases.stream().filter(Lease::isValid).forEach(Lease::release);
  }
}

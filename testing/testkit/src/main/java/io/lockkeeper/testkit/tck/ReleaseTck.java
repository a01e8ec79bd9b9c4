package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Chapter "Release". */
public abstract class ReleaseTck extends TckBase {

  @Test
  @Promise("R1")
  void aReleasedLockGoesToTheNextInLine() {
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client().lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    assertThat(held.tryLock()).isFalse();
    waiter.run(waiting::unlock);
    awaitFree(NAME);
    assertThat(held.isLocked()).isFalse();
  }

  @Test
  @Promise("R2")
  void aLateReleaseTouchesNobody() throws InterruptedException {
    Lease late = shortLease(client().lock(NAME));
    Lease present = client().lock(NAME).acquire();

    assertThatThrownBy(late::release).isInstanceOf(LeaseLostException.class);

    assertThat(present.isValid()).isTrue();
    assertThat(inspect(NAME).holder()).isNotNull();
    present.release();
  }

  @Test
  @Promise("R2")
  void aLateUnlockTouchesNobodyNotEvenANewHolderInItsOwnClient() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock(fixed(Delays.millis(50)));
    Worker other = worker();
    other.run(lock::lock);

    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);

    assertThat(other.call(lock::isHeldByCurrentThread)).isTrue();
    other.run(lock::unlock);
  }

  @Test
  @Promise("R2")
  void aLateRenewalTouchesNobody() throws InterruptedException {
    Lease late = shortLease(client().lock(NAME));
    Lease present = client().lock(NAME).acquire();

    assertThatThrownBy(() -> late.renew(Duration.ofMillis(50)))
        .isInstanceOf(LeaseLostException.class);

    eventually().until(() -> present.remaining().compareTo(Duration.ofSeconds(20)) > 0);
    present.release();
  }

  private static Lease shortLease(DistributedLock lock) throws InterruptedException {
    return lock.acquire(fixed(Delays.millis(50)));
  }

  @Test
  @Promise("R3")
  void releasingAgainDoesNothing() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    Lease lease = lock.acquire();
    lease.release();
    Lease next = lock.acquire();

    lease.release();
    lease.close();

    assertThat(next.isValid()).isTrue();
    assertThat(next.token()).isGreaterThan(lease.token());
    next.release();
  }

  @Test
  @Promise("R4")
  void anotherThreadCannotUnlock() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();

    assertThatThrownBy(() -> worker().run(lock::unlock))
        .isInstanceOf(IllegalMonitorStateException.class);

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    assertThat(inspect(NAME).holder()).isNotNull();
    lock.unlock();
  }

  @Test
  @Promise("R4")
  void anotherClientCannotUnlock() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();

    assertThatThrownBy(client().lock(NAME)::unlock)
        .isInstanceOf(IllegalMonitorStateException.class);

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise({"R4", "R5"})
  void aThreadCannotUnlockALeaseButAnyThreadCanReleaseIt() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    Lease lease = lock.acquire();

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lease.isValid()).isTrue();

    worker().run(lease::release);
    assertThat(lease.isValid()).isFalse();
    awaitFree(NAME);
  }

  @Test
  @Promise("R5")
  void theLeaseOfAThreadsHoldCanBeReleasedByAnotherThread() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    lock.lock();
    Lease lease = lock.heldLease();

    worker().run(lease::release);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    awaitFree(NAME);
  }

  @Test
  @Promise("R6")
  void releasingDoesNotWaitForTheStore() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    lock.lock();
    faults.silence();

    Duration took =
        duration(
            () -> {
              lock.unlock();
              return true;
            });

    assertThat(took).isLessThan(Delays.millis(900));
    assertThat(inspect(NAME).holder()).isNotNull();
    faults.heal();
    awaitFree(NAME);
  }

  @Test
  @Promise("R6")
  void aReleaseWhoseAnswerWasLostIsSentAgainAndDoesNoHarm() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    DistributedLock next = client().lock(NAME);
    lock.lock();
    faults.loseReplies(2);

    lock.unlock();
    next.lock();

    pass(Delays.millis(300));
    assertThat(next.isHeldByCurrentThread()).isTrue();
    assertThat(inspect(NAME).holder()).isNotNull();
    next.unlock();
  }

  @Test
  @Promise("R7")
  void forceOpensALockForTheNextInLine() {
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client().lock(NAME);
    held.lock();
    Lease lease = held.heldLease();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    assertThat(client().lock(NAME).forceUnlock()).isTrue();

    assertThat(Worker.get(got)).isTrue();
    assertThat(waiter.call(waiting::token)).isGreaterThan(lease.token());
    eventually().until(() -> !lease.isValid());
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
    assertThat(waiter.call(waiting::isHeldByCurrentThread)).isTrue();
    waiter.run(waiting::unlock);
  }

  @Test
  @Promise("R7")
  void aForceWhoseAnswerIsLostLeavesTheNextInLineAlone() {
    DistributedLock held = client().fairLock(NAME);
    DistributedLock next = client().fairLock(NAME);
    DistributedLock last = client().fairLock(NAME);
    held.lock();
    Worker second = worker();
    Worker third = worker();
    Future<Boolean> secondGot = second.begin(next::lock);
    awaitWaiting(NAME, 1);
    Future<Boolean> thirdGot = third.begin(last::lock);
    awaitWaiting(NAME, 2);
    Faults faults = faults();
    DistributedLock operator = client(faults).lock(NAME);
    faults.loseRepliesToChanges(2);

    assertThat(operator.forceUnlock()).isTrue();

    assertThat(Worker.get(secondGot)).isTrue();
    assertThat(second.call(() -> next.heldLease().remaining())).isPositive();
    assertThat(inspect(NAME).waiting()).isEqualTo(1);
    second.run(next::unlock);
    assertThat(Worker.get(thirdGot)).isTrue();
    third.run(last::unlock);
    assumeNotifications(); // or else the holder that was forced out learns of it later
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("R8")
  void afterAConfirmedReleaseAnotherClientFindsTheLockFree() {
    LockOptions confirmed = LockOptions.defaults().withConfirmedRelease(true);
    DistributedLock one = client().lock(NAME, confirmed);
    DistributedLock other = client().lock(NAME, confirmed);
    int rounds = Rounds.of(1_000);
    for (int i = 0; i < rounds; i++) {
      assertThat(one.tryLock()).as("round %d", i).isTrue();
      one.unlock();
      assertThat(other.tryLock()).as("round %d", i).isTrue();
      other.unlock();
    }
  }

  @Test
  @Promise("R8")
  void afterAConfirmedReleaseAnotherClientFindsAReadWriteLockFree() throws InterruptedException {
    ReadWriteOptions confirmed = ReadWriteOptions.defaults().withConfirmedRelease(true);
    DistributedReadWriteLock one = client().readWriteLock(NAME, confirmed);
    DistributedReadWriteLock other = client().readWriteLock(NAME, confirmed);
    for (int i = 0; i < Rounds.of(100); i++) {
      assertThat(one.writeLock().tryLock()).as("round %d", i).isTrue();
      assertThat(one.readLock().tryLock()).as("round %d", i).isTrue();
      one.writeLock().unlock();
      assertThat(other.readLock().tryLock()).as("round %d", i).isTrue();
      other.readLock().unlock();
      one.readLock().unlock();
      try (Lease lease = other.writeLock().tryAcquire(Duration.ZERO).orElseThrow()) {
        assertThat(lease.isValid()).as("round %d", i).isTrue();
      }
    }
  }

  @Test
  @Promise("R8")
  void aStageSaysWhenTheStoreKnowsOfARelease() throws InterruptedException {
    DistributedLock one = client().lock(NAME);
    DistributedLock other = client().lock(NAME);
    DistributedSemaphore permits = client().semaphore(NAME, 2);
    DistributedSemaphore elsewhere = client().semaphore(NAME, 2);
    for (int i = 0; i < Rounds.of(100); i++) {
      Lease lease = one.tryAcquire(Duration.ZERO).orElseThrow();
      Worker.outcome(lease.releaseAsync());
      Worker.outcome(lease.releaseAsync());
      Lease next = other.tryAcquire(Duration.ZERO).orElseThrow();
      Worker.outcome(next.releaseAsync());

      PermitLease both = permits.tryAcquire(2).orElseThrow();
      both.release(1);
      Worker.outcome(both.releaseAsync());
      PermitLease theirs = elsewhere.tryAcquire(2).orElseThrow();
      Worker.outcome(theirs.releaseAsync());
    }
  }

  @Test
  @Promise("R8")
  void theStageWaitsForTheStoreAndAnUnlockAtMostForThePatience() throws InterruptedException {
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.storeTimeout(Duration.ofSeconds(1)));
    DistributedLock lock = keeper.lock(NAME, LockOptions.defaults().withConfirmedRelease(true));
    Lease lease = keeper.lock("another").acquire();
    lock.lock();
    faults.refuse();

    CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
    assertThatThrownBy(lock::unlock).isInstanceOf(StoreUnavailableException.class);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(released).isNotDone();
    faults.heal();
    Worker.get(released);
    awaitFree(NAME);
  }

  @Test
  @Promise("R9")
  void whatAThreadAsksAfterItsReleaseIsAnsweredAsOfAfterIt() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    DistributedReadWriteLock readWrite = keeper.readWriteLock(NAME);
    DistributedSemaphore semaphore = keeper.semaphore(NAME, 3);
    int rounds = Rounds.of(200);
    for (int i = 0; i < rounds; i++) {
      lock.lock();
      lock.unlock();
      assertThat(lock.isLocked()).as("round %d", i).isFalse();
      readWrite.writeLock().lock();
      readWrite.writeLock().unlock();
      assertThat(readWrite.writeLock().isLocked()).as("round %d", i).isFalse();
      semaphore.acquire(2).release();
      assertThat(semaphore.availablePermits()).as("round %d", i).isEqualTo(3);
      semaphore.acquire(3).release();
      PermitLease all = semaphore.drainPermits().orElseThrow();
      assertThat(all.permits()).as("round %d", i).isEqualTo(3);
      all.release();
      lock.lock();
      lock.unlock();
      assertThat(keeper.admin().inspect(ResourceKind.LOCK, NAME).isIdle())
          .as("round %d", i)
          .isTrue();
    }
  }

  @Test
  @Promise("R7")
  void forceOnAFreeLockSaysThatItWasFree() {
    assertThat(client().lock(NAME).forceUnlock()).isFalse();
  }
}

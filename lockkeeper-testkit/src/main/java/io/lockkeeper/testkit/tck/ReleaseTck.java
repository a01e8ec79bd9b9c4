package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import java.time.Duration;
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
    lock.lock(Delays.millis(50));
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
    return lock.acquire(AcquireOptions.defaults().withFixedLease(Delays.millis(50)));
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
  void forceOnAFreeLockSaysThatItWasFree() {
    assertThat(client().lock(NAME).forceUnlock()).isFalse();
  }
}

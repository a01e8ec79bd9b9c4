package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Chapter "Re-entrancy". */
public abstract class ReentrancyTck extends TckBase {

  @Test
  @Promise("E1")
  void aHolderEntersAgainAndIsOutAfterAsManyUnlocks() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    lock.lockInterruptibly();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    assertThat(lock.tryLock(fixed(Duration.ofSeconds(1)).withWait(Duration.ZERO))).isTrue();
    assertThat(lock.getHoldCount()).isEqualTo(5);

    for (int left = 4; left >= 1; left--) {
      lock.unlock();
      assertThat(lock.getHoldCount()).isEqualTo(left);
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      assertThat(inspect(NAME).holder()).isNotNull();
    }
    lock.unlock();

    assertThat(lock.getHoldCount()).isZero();
    awaitFree(NAME);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  @Promise("E1")
  void aHolderEntersAgainWhileOthersWait() {
    DistributedLock lock = client().fairLock(NAME);
    DistributedLock waiting = client().fairLock(NAME);
    lock.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    lock.lock();
    lock.unlock();

    assertThat(got).isNotDone();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
    Worker.get(got);
    waiter.run(waiting::unlock);
  }

  @Test
  @Promise("E2")
  void twoObjectsOfOneNameAreOneLock() {
    Lockkeeper keeper = client();
    DistributedLock one = keeper.lock(NAME);
    DistributedLock two = keeper.lock(NAME);
    DistributedLock fair = keeper.fairLock(NAME);
    one.lock();

    assertThat(two.tryLock()).isTrue();
    assertThat(fair.tryLock()).isTrue();

    assertThat(one.getHoldCount()).isEqualTo(3);
    assertThat(two.token()).isEqualTo(one.token());
    one.unlock();
    two.unlock();
    fair.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise("E2")
  void anotherThreadDoesNotReEnter() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();

    Worker other = worker();
    assertThat(other.call(() -> lock.tryLock())).isFalse();
    assertThat(other.call(lock::getHoldCount)).isZero();
    assertThat(other.call(lock::isHeldByCurrentThread)).isFalse();
    assertThat(other.call(lock::isLocked)).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("E2")
  void theSameThreadThroughAnotherClientDoesNotReEnter() {
    DistributedLock lock = client().lock(NAME);
    DistributedLock other = client().lock(NAME);
    lock.lock();

    assertThat(other.tryLock()).isFalse();
    assertThat(other.isHeldByCurrentThread()).isFalse();
    lock.unlock();
  }

  @Test
  @Promise("E3")
  void reEntryAsksTheStoreNothing() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    lock.lock();
    long before = faults.requests();

    for (int i = 0; i < 1_000; i++) {
      lock.lock();
    }
    for (int i = 0; i < 1_000; i++) {
      lock.unlock();
    }

    assertThat(faults.requests()).isEqualTo(before);
    lock.unlock();
  }

  @Test
  @Promise("E3")
  void reEntryWorksWhileTheStoreIsSilent() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    lock.lock();
    faults.silence();

    assertThat(lock.tryLock()).isTrue();
    lock.lock();
    assertThat(lock.getHoldCount()).isEqualTo(3);
    lock.unlock();
    lock.unlock();

    faults.heal();
    lock.unlock();
  }

  @Test
  @Promise("E4")
  void aThreadThatWouldWaitForItselfIsTold() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock();

    assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
    assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
    assertThat(lock.tryAcquire(Delays.millis(20))).isEmpty();

    assertThat(lock.getHoldCount()).isEqualTo(1);
    lock.unlock();
    lock.acquire().release();
  }

  @Test
  @Promise("E5")
  void aLeaseGivenOnReEntryIsIgnored() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock(fixed(Duration.ofSeconds(10)));

    lock.lock(fixed(Duration.ofHours(1)));
    assertThat(lock.tryLock(fixed(Duration.ofMillis(50)).withWait(Duration.ZERO))).isTrue();
    lock.lock();

    assertThat(lock.heldLease().remaining())
        .isLessThanOrEqualTo(Duration.ofSeconds(10))
        .isGreaterThan(Duration.ofSeconds(5));
    for (int i = 0; i < 4; i++) {
      lock.unlock();
    }
  }

  @Test
  @Promise("E6")
  void withoutReEntryAThreadIsToldInsteadOfWaitingForItself() throws InterruptedException {
    Lockkeeper keeper = client();
    LockOptions once = LockOptions.defaults().withReentrant(false);
    for (DistributedLock lock : List.of(keeper.lock(NAME, once), keeper.fairLock(NAME, once))) {
      lock.lock();

      for (DistributedLock same : List.of(lock, keeper.lock(NAME, once))) {
        assertThatThrownBy(same::lock)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining(NAME);
        assertThatThrownBy(same::lockInterruptibly).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> same.lock(fixed(Duration.ofSeconds(1))))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> same.tryLock(1, TimeUnit.SECONDS))
            .isInstanceOf(IllegalStateException.class);
        assertThat(same.tryLock()).isFalse();
        assertThat(same.tryLock(0, TimeUnit.SECONDS)).isFalse();
      }

      assertThat(lock.getHoldCount()).isEqualTo(1);
      assertThat(worker().call(() -> lock.tryLock(10, TimeUnit.MILLISECONDS))).isFalse();
      lock.unlock();
      awaitFree(NAME);
      assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }
    DistributedLock again = keeper.lock(NAME, once);
    assertThat(again.tryLock()).isTrue();
    again.unlock();
  }
}

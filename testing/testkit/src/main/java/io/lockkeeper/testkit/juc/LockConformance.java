package io.lockkeeper.testkit.juc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Promise;
import io.lockkeeper.testkit.tck.TckBase;
import io.lockkeeper.testkit.tck.Worker;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The Javadoc of {@link java.util.concurrent.locks.Lock}, sentence by sentence, for each kind of
 * lock, and with the other thread in the same client or in another one.
 *
 * <p>This file is long because the contract of a lock is best read in one place.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
public abstract class LockConformance extends TckBase {

  /** Which kind of lock, and where the other thread is. */
  protected enum Variant {
    LOCK_WITH_A_THREAD_OF_THE_SAME_CLIENT(Kind.LOCK, true),
    LOCK_WITH_A_THREAD_OF_ANOTHER_CLIENT(Kind.LOCK, false),
    FAIR_LOCK_WITH_A_THREAD_OF_THE_SAME_CLIENT(Kind.FAIR_LOCK, true),
    FAIR_LOCK_WITH_A_THREAD_OF_ANOTHER_CLIENT(Kind.FAIR_LOCK, false),
    WRITE_LOCK_WITH_A_THREAD_OF_THE_SAME_CLIENT(Kind.WRITE_LOCK, true),
    WRITE_LOCK_WITH_A_THREAD_OF_ANOTHER_CLIENT(Kind.WRITE_LOCK, false);

    private final Kind kind;
    private final boolean sameClient;

    Variant(Kind kind, boolean sameClient) {
      this.kind = kind;
      this.sameClient = sameClient;
    }

    private DistributedLock of(Lockkeeper keeper) {
      return switch (kind) {
        case LOCK -> keeper.lock(NAME);
        case FAIR_LOCK -> keeper.fairLock(NAME);
        case WRITE_LOCK -> keeper.readWriteLock(NAME).writeLock();
      };
    }

    private ResourceId resource() {
      return kind == Kind.WRITE_LOCK
          ? new ResourceId(ResourceKind.READ_WRITE_LOCK, NAME)
          : ResourceId.lock(NAME);
    }
  }

  private enum Kind {
    LOCK,
    FAIR_LOCK,
    WRITE_LOCK
  }

  @Parameter
  @SuppressWarnings("NullAway.Init")
  Variant variant;

  /** The other thread. */
  @SuppressWarnings("NullAway.Init")
  private Worker other;

  @SuppressWarnings("NullAway.Init")
  private DistributedLock lock;

  /** The same lock, as the other thread reaches it. */
  @SuppressWarnings("NullAway.Init")
  private DistributedLock others;

  @BeforeEach
  final void makeLocks() {
    Lockkeeper mine = client();
    Lockkeeper theirs = variant.sameClient ? mine : client();
    lock = variant.of(mine);
    others = variant.of(theirs);
    other = worker();
  }

  /** Makes the other thread hold the lock. */
  private void otherLocks() {
    other.run(others::lock);
  }

  private void otherUnlocks() {
    other.run(others::unlock);
  }

  // ---------------------------------------------------------------- lock

  @Test
  void lockAcquiresTheLock() {
    lock.lock();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    assertThat(lock.isLocked()).isTrue();
    assertThat(other.call(others::isHeldByCurrentThread)).isFalse();
    assertThat(other.call(() -> others.tryLock())).isFalse();
    lock.unlock();
  }

  @Test
  void ifTheLockIsNotAvailableTheThreadLiesDormantUntilItHasIt() {
    otherLocks();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();
    assertThat(got).isNotDone();

    otherUnlocks();

    assertThat(Worker.get(got)).isTrue();
    assertThat(waiter.call(lock::isHeldByCurrentThread)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("D4")
  void lockIsNotEndedByAnInterruptAndKeepsTheStatus() {
    otherLocks();
    Worker waiter = worker();
    Future<Boolean> status =
        waiter.start(
            () -> {
              lock.lock();
              return Thread.interrupted();
            });
    waiter.awaitParked();
    waiter.interrupt();
    pass(Delays.millis(20));
    assertThat(status).isNotDone();

    otherUnlocks();

    assertThat(Worker.get(status)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("D4")
  void lockWithTheStatusSetOnEntryAcquiresAndKeepsIt() {
    Thread.currentThread().interrupt();
    lock.lock();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  // ---------------------------------------------------------------- lockInterruptibly

  @Test
  void lockInterruptiblyAcquiresTheLockAndReturnsAtOnceIfAvailable() throws InterruptedException {
    lock.lockInterruptibly();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("D3")
  void lockInterruptiblyThrowsIfTheStatusIsSetOnEntryAndClearsIt() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  @Promise("D3")
  void lockInterruptiblyByTheHolderThrowsToo() {
    lock.lock();
    Thread.currentThread().interrupt();
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
    assertThat(lock.getHoldCount()).isEqualTo(1);
    lock.unlock();
  }

  @Test
  @Promise({"D3", "W4"})
  void lockInterruptiblyThrowsIfInterruptedWhileWaitingAndLeavesNoPlace() {
    Worker waiter = worker();
    assertAnInterruptEndsTheWait(waiter, lock::lockInterruptibly);
    assertThat(waiter.call(() -> lock.tryLock(1, TimeUnit.HOURS))).isTrue();
    waiter.run(lock::unlock);
  }

  // ---------------------------------------------------------------- tryLock

  @Test
  void tryLockAcquiresAFreeLockAndReturnsTrue() {
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("D1")
  void tryLockReturnsFalseAtOnceIfAnotherThreadHoldsTheLock() {
    otherLocks();
    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    otherUnlocks();
  }

  @Test
  @Promise("D4")
  void tryLockIsNotEndedByAnInterruptAndKeepsTheStatus() {
    Thread.currentThread().interrupt();
    boolean got = lock.tryLock();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(got).isTrue();
    lock.unlock();
  }

  // ---------------------------------------------------------------- timed tryLock

  @Test
  void timedTryLockReturnsAtOnceIfTheLockIsFree() throws InterruptedException {
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("D2")
  void timedTryLockReturnsFalseWhenTheTimeHasPassedAndNotBefore() {
    otherLocks();
    Duration wait = Delays.millis(80);
    Duration took =
        duration(
            () -> {
              assertThat(lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
              return true;
            });
    assertThat(took).isGreaterThanOrEqualTo(wait);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    otherUnlocks();
  }

  @Test
  void timedTryLockReturnsTrueWhenTheLockComesInTime() {
    otherLocks();
    Worker waiter = worker();
    Future<Boolean> got = waiter.start(() -> lock.tryLock(1, TimeUnit.HOURS));
    waiter.awaitParked();

    otherUnlocks();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("D1")
  void timedTryLockWithoutTimeDoesNotWaitAtAll() throws InterruptedException {
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock(-5, TimeUnit.SECONDS)).isTrue();
    lock.unlock();
    otherLocks();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
    otherUnlocks();
  }

  @Test
  @Promise("D3")
  void timedTryLockThrowsIfTheStatusIsSetOnEntryEvenIfTheLockIsFree() {
    for (long time : new long[] {-1, 0, 1}) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> lock.tryLock(time, TimeUnit.HOURS))
          .isInstanceOf(InterruptedException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  @Promise({"D3", "W4"})
  void timedTryLockThrowsIfInterruptedWhileWaitingAndLeavesNoPlace() {
    assertAnInterruptEndsTheWait(worker(), () -> lock.tryLock(1, TimeUnit.HOURS));
    awaitFree(variant.resource());
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
  }

  /** Interrupts a thread that waits; returns when its place is gone and the lock free. */
  private void assertAnInterruptEndsTheWait(Worker waiter, ThrowingCallable wait) {
    otherLocks();
    Future<Boolean> status =
        waiter.start(
            () -> {
              assertThatThrownBy(wait).isInstanceOf(InterruptedException.class);
              return Thread.currentThread().isInterrupted();
            });
    waiter.awaitParked();

    waiter.interrupt();

    assertThat(Worker.get(status)).as("the status is cleared").isFalse();
    awaitWaiting(variant.resource(), 0);
    otherUnlocks();
  }

  @Test
  @Promise("N4")
  void timedTryLockWithoutAUnitIsRefused() {
    assertThatThrownBy(() -> lock.tryLock(1, noUnit())).isInstanceOf(NullPointerException.class);
    assertThat(lock.isLocked()).isFalse();
  }

  @SuppressWarnings("NullAway")
  private static TimeUnit noUnit() {
    return null;
  }

  // ---------------------------------------------------------------- unlock

  @Test
  @Promise("R4")
  void onlyTheHolderCanUnlock() {
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    otherLocks();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(other.call(others::isHeldByCurrentThread)).isTrue();
    otherUnlocks();
    lock.lock();
    lock.unlock();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void unlockKeepsTheInterruptedStatus() {
    lock.lock();
    Thread.currentThread().interrupt();
    lock.unlock();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  @Promise("X4")
  void whatWasDoneUnderTheLockIsSeenUnderTheNextOne() {
    int[] count = new int[1];
    together(
        4,
        i -> {
          DistributedLock mine = i % 2 == 0 ? lock : others;
          for (int round = 0; round < 25; round++) {
            mine.lock();
            try {
              count[0]++;
            } finally {
              mine.unlock();
            }
          }
        });
    assertThat(count[0]).isEqualTo(100);
  }

  // ---------------------------------------------------------------- re-entrancy, and the rest

  @Test
  @Promise("E1")
  void theHoldCountFollowsEveryLockAndUnlock() throws InterruptedException {
    assertThat(lock.getHoldCount()).isZero();
    lock.lock();
    assertThat(lock.getHoldCount()).isEqualTo(1);
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    assertThat(lock.tryLock(0, TimeUnit.HOURS)).isTrue();
    lock.lockInterruptibly();
    assertThat(lock.getHoldCount()).isEqualTo(5);
    assertThat(other.call(others::getHoldCount)).isZero();
    for (int left = 4; left >= 0; left--) {
      lock.unlock();
      assertThat(lock.getHoldCount()).isEqualTo(left);
      assertThat(lock.isHeldByCurrentThread()).isEqualTo(left > 0);
    }
    assertThat(other.call(() -> others.tryLock(1, TimeUnit.HOURS))).isTrue();
    otherUnlocks();
  }

  @Test
  @Promise("E1")
  void theLockCanBeReEnteredManyTimes() {
    for (int i = 0; i < 10_000; i++) {
      lock.lock();
    }
    assertThat(lock.getHoldCount()).isEqualTo(10_000);
    for (int i = 0; i < 10_000; i++) {
      lock.unlock();
    }
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  void conditionsAreNotSupported() {
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theLockHasANameAndSaysWhatItIs() {
    assertThat(lock.name()).isEqualTo(NAME);
    assertThat(lock.toString()).contains(NAME).containsIgnoringCase("lock");
  }

  @Test
  @Promise("W9")
  void threadsThatLockInTurnAllGetIt() {
    AtomicInteger done = new AtomicInteger();
    together(
        6,
        i -> {
          DistributedLock mine = i % 2 == 0 ? lock : others;
          mine.lock();
          done.incrementAndGet();
          mine.unlock();
        });
    assertThat(done).hasValue(6);
  }
}

package io.lockkeeper.testkit.juc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import io.lockkeeper.PermitLease;
import io.lockkeeper.testkit.tck.Promise;
import io.lockkeeper.testkit.tck.TckBase;
import io.lockkeeper.testkit.tck.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The Javadoc of {@link java.util.concurrent.Semaphore}, {@link
 * java.util.concurrent.CountDownLatch}, {@link java.util.concurrent.CyclicBarrier} and {@link
 * java.util.concurrent.locks.ReadWriteLock}, as far as it is about arguments, interrupts, waits
 * without time and wrong owners, for those of Lockkeeper; and the same for a lock that is made of
 * several.
 */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
public abstract class SynchronizerConformance extends TckBase {

  private static final Duration[] NO_TIME = {
    Duration.ZERO, Duration.ofSeconds(-5), Duration.ofSeconds(Long.MIN_VALUE)
  };

  /** Checks that an interrupt that was there before ends a call, and is used up by that. */
  private static void assertEndedByAnEarlierInterrupt(ThrowingCallable call) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(call).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).as("the status is cleared").isFalse();
  }

  /** Checks that an interrupt that was there before does nothing to a call, and is kept. */
  private static void assertNotEndedByAnInterrupt(ThrowingCallable call) throws Throwable {
    Thread.currentThread().interrupt();
    call.call();
    assertThat(Thread.interrupted()).as("the status is kept").isTrue();
  }

  @SuppressWarnings("NullAway")
  private static TimeUnit noUnit() {
    return null;
  }

  // ---------------------------------------------------------------- semaphores

  @Test
  @Promise({"S10", "S6"})
  void aSemaphoreRefusesNumbersThatCannotBe() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedSemaphore semaphore = keeper.semaphore(NAME, 3);
    for (int permits : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> semaphore.acquire(permits));
      assertThatIllegalArgumentException().isThrownBy(() -> semaphore.tryAcquire(permits));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> semaphore.tryAcquire(permits, Duration.ofSeconds(1)));
      assertThatIllegalArgumentException().isThrownBy(() -> semaphore.acquireAsync(permits));
      assertThatIllegalArgumentException().isThrownBy(() -> keeper.semaphore("other", permits));
    }
    PermitLease two = semaphore.acquire(2);
    for (int permits : new int[] {0, -1, 3}) {
      assertThatIllegalArgumentException().isThrownBy(() -> two.release(permits));
    }
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    two.release(2);
    assertThat(semaphore.availablePermits()).isEqualTo(3);
  }

  @Test
  @Promise({"D3", "D4"})
  void aSemaphoreHeedsInterruptsAsThatOfTheJdkDoes() throws Throwable {
    DistributedSemaphore semaphore = client().semaphore(NAME, 1);
    assertEndedByAnEarlierInterrupt(semaphore::acquire);
    assertEndedByAnEarlierInterrupt(() -> semaphore.tryAcquire(Duration.ZERO));
    assertEndedByAnEarlierInterrupt(() -> semaphore.tryAcquire(Duration.ofHours(1)));
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    assertNotEndedByAnInterrupt(() -> semaphore.tryAcquire().orElseThrow().release());
    assertNotEndedByAnInterrupt(semaphore::availablePermits);
    assertNotEndedByAnInterrupt(() -> semaphore.drainPermits().orElseThrow().release());
  }

  @Test
  @Promise("D1")
  void aWaitForAPermitWithoutTimeAsksOnce() throws InterruptedException {
    DistributedSemaphore semaphore = client().semaphore(NAME, 1);
    for (Duration wait : NO_TIME) {
      PermitLease permit = semaphore.tryAcquire(wait).orElseThrow();
      assertThat(semaphore.tryAcquire(wait)).isEmpty();
      permit.release();
    }
    semaphore.tryAcquire(Duration.ofSeconds(Long.MAX_VALUE)).orElseThrow().release();
  }

  // ---------------------------------------------------------------- latches

  @Test
  @Promise({"LA1", "LA2"})
  void aLatchWaitsAndCountsAsThatOfTheJdkDoes() throws Throwable {
    DistributedCountDownLatch latch = client().countDownLatch(NAME);
    assertThatIllegalArgumentException().isThrownBy(() -> latch.trySetCount(-1));
    assertThat(latch.trySetCount(2)).isTrue();
    for (long time : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThat(latch.await(time, TimeUnit.DAYS)).isFalse();
    }
    assertThatThrownBy(() -> latch.await(1, noUnit())).isInstanceOf(NullPointerException.class);
    assertEndedByAnEarlierInterrupt(latch::await);
    assertNotEndedByAnInterrupt(latch::countDown);
    assertThat(latch.getCount()).hasValue(1);
    latch.countDown(5);
    latch.countDown();
    assertThat(latch.getCount()).hasValue(0);
    latch.await();
    for (long time : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(latch.await(time, TimeUnit.DAYS)).isTrue();
    }
    assertEndedByAnEarlierInterrupt(latch::await);
    assertEndedByAnEarlierInterrupt(() -> latch.await(1, TimeUnit.HOURS));
    latch.delete();
  }

  // ---------------------------------------------------------------- barriers

  @Test
  @Promise({"B2", "B3", "D3"})
  void aWaitAtABarrierThatEndsEarlyLeavesItAsItWas() throws InterruptedException {
    Lockkeeper keeper = client();
    for (int parties : new int[] {0, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> keeper.barrier(NAME, parties));
    }
    DistributedBarrier barrier = keeper.barrier(NAME, 2);
    for (Duration wait : NO_TIME) {
      assertThatThrownBy(() -> barrier.await(wait)).isInstanceOf(AcquireTimeoutException.class);
    }
    assertEndedByAnEarlierInterrupt(barrier::await);
    assertEndedByAnEarlierInterrupt(() -> barrier.await(Duration.ofHours(1)));
    for (int round = 0; round < 2; round++) {
      CompletableFuture<Void> other = barrier.awaitAsync().toCompletableFuture();
      barrier.await();
      Worker.get(other);
    }
  }

  // ---------------------------------------------------------------- locks

  @Test
  @Promise({"RW4", "RW5", "RW6", "R4"})
  void theTwoSidesOfAReadWriteLockCountAndAreUnlockedApart() throws InterruptedException {
    DistributedReadWriteLock both = client().readWriteLock(NAME);
    DistributedLock read = both.readLock();
    DistributedLock write = both.writeLock();
    assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
    write.lock();
    assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(read.tryLock()).isTrue();
    assertThat(List.of(read.getHoldCount(), write.getHoldCount())).containsExactly(1, 1);
    write.unlock();
    assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(write.tryLock()).isFalse();
    assertThat(write.tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(read.isHeldByCurrentThread()).isTrue();
    Worker other = worker();
    assertThatThrownBy(() -> other.run(read::unlock))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThat(other.call(() -> read.tryLock())).isTrue();
    other.run(read::unlock);
    read.unlock();
    assertEndedByAnEarlierInterrupt(read::lockInterruptibly);
    assertThatThrownBy(read::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @Promise({"ML1", "ML7", "ML9", "D1", "D3", "D4"})
  void aLockOfSeveralIsALockOfTheJdk() throws Throwable {
    Lockkeeper keeper = client();
    MultiLock lock = Lockkeeper.multiLock(keeper.lock("a"), keeper.lock("b"));
    Lock others = Lockkeeper.multiLock(client().lock("b"), keeper.lock("c"));
    Worker other = worker();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> lock.tryLock(1, noUnit())).isInstanceOf(NullPointerException.class);
    assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).as("again").isTrue();
    for (long time : new long[] {0, -5, Long.MIN_VALUE}) {
      assertThat(other.call(() -> others.tryLock(time, TimeUnit.DAYS))).isFalse();
    }
    assertThatThrownBy(() -> other.run(lock::unlock))
        .isInstanceOf(IllegalMonitorStateException.class);
    assertEndedByAnEarlierInterrupt(lock::lockInterruptibly);
    lock.unlock();
    assertNotEndedByAnInterrupt(lock::unlock);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    for (long time : new long[] {-1, 0, 1}) {
      assertEndedByAnEarlierInterrupt(() -> lock.tryLock(time, TimeUnit.HOURS));
    }
    assertNotEndedByAnInterrupt(lock::lock);
    lock.unlock();
    assertThat(lock.toString()).contains("a", "b");
  }
}

package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Chapter "Work under a lock". */
public abstract class WorkTck extends TckBase {

  private static final Duration LONG = Duration.ofMinutes(10);

  private static List<LeaseLock<?>> locks(Lockkeeper keeper) {
    return List.of(
        keeper.lock(NAME),
        keeper.fairLock("fair"),
        keeper.readWriteLock("rw").writeLock(),
        keeper.readWriteLock("rw2").readLock(),
        Lockkeeper.multiLock(keeper.lock("m1"), keeper.lock("m2")));
  }

  @Test
  @Promise("WK1")
  void workIsDoneUnderTheLockAndItsResultReturned() throws InterruptedException {
    for (LeaseLock<?> lock : locks(client())) {
      lock.run(() -> assertThat(lock.isHeldByCurrentThread()).as("%s", lock).isTrue());
      assertThat(lock.isHeldByCurrentThread()).as("%s", lock).isFalse();
      assertThat(lock.<Integer, RuntimeException>call(lock::getHoldCount)).isEqualTo(1);
      assertThat(
              lock.tryRun(Duration.ZERO, () -> assertThat(lock.isHeldByCurrentThread()).isTrue()))
          .isTrue();
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      assertThat(lock.tryCall(Duration.ZERO, lock::getHoldCount)).hasValue(1);
      AcquireOptions options = AcquireOptions.wait(Delays.patience()).withFixedLease(LONG);
      lock.run(options, () -> assertThat(lock.heldLease().isValid()).isTrue());
      assertThat(lock.<Integer, RuntimeException>call(options, lock::getHoldCount)).isEqualTo(1);
      lock.run(lease -> assertThat(lease.isValid()).isTrue());
      assertThat(lock.<Boolean, RuntimeException>call(HeldLease::isValid)).isTrue();
      assertThat(lock.isHeldByCurrentThread()).as("%s", lock).isFalse();
    }
  }

  @Test
  @Promise("WK1")
  void workUnderALeaseHasTheTokenOfTheHold() {
    DistributedLock lock = client().lock(NAME);
    lock.run(lease -> assertThat(lease.token()).isEqualTo(lock.token()));
    lock.run(AcquireOptions.fixedLease(LONG), () -> assertThat(lock.token()).isPositive());
  }

  @Test
  @Promise("WK1")
  void workIsDoneWithPermits() throws InterruptedException {
    DistributedSemaphore semaphore = client().semaphore("s", 3);
    semaphore.run(2, () -> assertThat(semaphore.availablePermits()).isEqualTo(1));
    semaphore.run(() -> assertThat(semaphore.availablePermits()).isEqualTo(2));
    assertThat(semaphore.availablePermits()).isEqualTo(3);
  }

  @Test
  @Promise("WK1")
  void workEntersALockAgainThatItsThreadHolds() {
    DistributedLock lock = client().lock(NAME);
    lock.run(() -> lock.run(() -> assertThat(lock.getHoldCount()).isEqualTo(2)));
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  @Promise("WK1")
  void workIsNotDoneIfTheLockCannotBeHadInTime() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    held.lock();
    DistributedLock lock = client().lock(NAME);

    boolean done =
        lock.tryRun(
            Delays.millis(30),
            () -> {
              throw new AssertionError("the lock is not free");
            });

    assertThat(done).isFalse();
    assertThat(lock.tryCall(Delays.millis(30), () -> "done")).isEmpty();
    AcquireOptions options = AcquireOptions.wait(Delays.millis(30));
    assertThatThrownBy(() -> lock.run(options, () -> {}))
        .isInstanceOf(AcquireTimeoutException.class);
    held.unlock();
  }

  @Test
  @Promise("WK2")
  void whatWorkThrowsComesOutAndTheLockIsFree() {
    IOException failure = new IOException("by the test's wish");
    for (LeaseLock<?> lock : locks(client())) {
      assertThatThrownBy(
              () ->
                  lock.run(
                      () -> {
                        throw failure;
                      }))
          .isSameAs(failure)
          .hasNoSuppressedExceptions();
      assertThat(lock.isHeldByCurrentThread()).isFalse();
    }
  }

  @Test
  @Promise("WK2")
  void aLossComesAfterTheFailureOfTheWork() {
    DistributedLock lock = client().lock(NAME);
    IOException failure = new IOException("by the test's wish");

    assertThatThrownBy(
            () ->
                lock.call(
                    () -> {
                      revoke(lock);
                      throw failure;
                    }))
        .isSameAs(failure)
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .singleElement()
                    .isInstanceOf(LeaseLostException.class));
  }

  @Test
  @Promise("WK2")
  void aLossDuringWorkThatThrewNothingIsThrown() {
    DistributedLock lock = client().lock(NAME);

    assertThatThrownBy(() -> lock.run(() -> revoke(lock))).isInstanceOf(LeaseLostException.class);
  }

  /** Three processes whose clocks differ start a job that is over in a moment. */
  @Test
  @Promise({"WK3", "R10"})
  void aJobIsDoneOnceInEachPeriod() throws InterruptedException {
    List<Lockkeeper> keepers = List.of(client(), client(), client());
    AtomicInteger runs = new AtomicInteger();

    int done = 0;
    for (Lockkeeper keeper : keepers) {
      done += keeper.once(NAME, Duration.ofHours(1), runs::incrementAndGet) ? 1 : 0;
    }

    assertThat(done).isEqualTo(1);
    assertThat(runs).hasValue(1);
    keepers.get(0).lock(NAME).forceUnlock();
    Duration brief = Delays.millis(300);
    eventually().until(() -> keepers.get(1).once(NAME, brief, runs::incrementAndGet));
    eventually().until(() -> keepers.get(2).once(NAME, Duration.ZERO, runs::incrementAndGet));
    assertThat(runs).hasValue(3);
  }

  @Test
  @Promise({"WK3", "WK2"})
  void aJobThatThrowsLeavesTheLockClosedForAsLong() throws InterruptedException {
    IOException failure = new IOException("by the test's wish");

    assertThatThrownBy(
            () ->
                client()
                    .once(
                        NAME,
                        Duration.ofHours(1),
                        () -> {
                          throw failure;
                        }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();

    Lockkeeper other = client();
    assertThat(other.once(NAME, Duration.ZERO, () -> {})).isFalse();
    other.lock(NAME).forceUnlock();
    eventually().until(() -> other.once(NAME, Duration.ZERO, () -> {}));
  }

  @Test
  @Promise("WK3")
  void aLongJobKeepsTheLockUntilItEndsAndNoLonger() throws InterruptedException {
    Lockkeeper other = client();

    boolean isDone =
        client()
            .once(
                NAME,
                Delays.millis(20),
                () -> {
                  pass(Delays.millis(40));
                  assertThat(other.once(NAME, Duration.ZERO, () -> {})).isFalse();
                });

    assertThat(isDone).isTrue();
    assertThat(other.once(NAME, Duration.ZERO, () -> {})).isTrue();
  }

  /** Makes the current thread lose a lock that it holds, and returns when it knows. */
  private static void revoke(DistributedLock lock) {
    Lease held = lock.heldLease();
    lock.forceUnlock();
    eventually().until(() -> !held.isValid());
  }
}

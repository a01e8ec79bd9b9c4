package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter "Lease and loss". */
public abstract class LeaseTck extends TckBase {

  private static final Duration SHORT = Delays.millis(600);

  @Test
  @Promise("L1")
  void aLeaseIsShorterAtItsClientThanAtTheStore() throws InterruptedException {
    Duration requested = Duration.ofSeconds(10);
    long sent = System.nanoTime();
    Lease lease = client().lock(NAME).acquire(fixed(requested));

    Duration left = lease.remaining();
    Duration sinceSent = Duration.ofNanos(System.nanoTime() - sent);

    Duration margin = requested.dividedBy(100).plusMillis(2);
    assertThat(left).isLessThanOrEqualTo(requested.minus(margin));
    assertThat(left).isGreaterThan(requested.minus(margin).minus(sinceSent).minusMillis(1));
    lease.release();
  }

  @Test
  @Promise({"L1", "L2"})
  void aLeaseEndsByItselfThoughTheStoreIsSilent() throws InterruptedException {
    Faults faults = faults();
    Lease lease = client(faults, builder -> builder.lease(SHORT)).lock(NAME).acquire();
    CompletableFuture<String> thread = new CompletableFuture<>();
    CompletableFuture<LeaseLost> told = new CompletableFuture<>();
    lease.onLost(
        loss -> {
          thread.complete(Thread.currentThread().getName());
          told.complete(loss);
        });

    faults.silence();

    LeaseLost loss = Worker.get(told);
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.remaining()).isZero();
    assertThat(loss)
        .isEqualTo(new LeaseLost(ResourceKind.LOCK, NAME, lease.token(), Reason.EXPIRED));
    assertThat(thread.join()).startsWith("lockkeeper-callback");
    assertThat(Worker.outcome(lease.lost())).isEqualTo(loss);
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise({"L1", "R2"})
  void aHolderThatWasFrozenFindsItsLeaseOverBeforeAnyMessage() throws InterruptedException {
    AtomicLong frozenNanos = new AtomicLong();
    Environment frozen =
        new Environment(
            () -> System.nanoTime() + frozenNanos.get(), Threads::scheduler, new Random());
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.environment(frozen));
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Lease lease = lock.heldLease();
    Lease other = keeper.lock("other").acquire();
    long requests = faults.requests();

    frozenNanos.set(Duration.ofHours(1).toNanos());

    assertThat(lease.isValid()).isFalse();
    assertThat(other.isValid()).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.getHoldCount()).isZero();
    assertThat(faults.requests()).isEqualTo(requests);
    assertThatThrownBy(lock::token).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(other::release).isInstanceOf(LeaseLostException.class);
    assertLost(lease, Reason.EXPIRED);
  }

  @Test
  @Promise("L2")
  void aLossIsToldOnTheExecutorOfTheClient() throws InterruptedException {
    List<Runnable> tasks = new CopyOnWriteArrayList<>();
    Lockkeeper keeper = client(builder -> builder.executor(tasks::add));
    Lease lease = keeper.lock(NAME).acquire(fixed(Delays.millis(50)));
    CompletableFuture<LeaseLost> told = new CompletableFuture<>();
    lease.onLost(told::complete);

    eventually().until(() -> !tasks.isEmpty());

    assertThat(told).isNotDone();
    eventually()
        .until(
            () -> {
              tasks.forEach(Runnable::run);
              return told.isDone();
            });
    assertThat(told.join().reason()).isEqualTo(Reason.FIXED_LEASE_ENDED);
  }

  @Test
  @Promise({"L3", "R7"})
  void aHolderHearsAtOnceThatItsLockWasForcedOpen() throws InterruptedException {
    Lease lease = client().lock(NAME).acquire();

    assertThat(client().lock(NAME).forceUnlock()).isTrue();

    assertLost(lease, Reason.NOT_AT_STORE);
    assertThat(lease.isValid()).isFalse();
  }

  @Test
  @Promise("L3")
  void aHolderHearsAtTheNextRenewalThatItsLockWasForcedOpen() throws InterruptedException {
    Faults faults = faults();
    faults.loseNotifications();
    Lease lease = client(faults, builder -> builder.lease(KEPT)).lock(NAME).acquire();

    client().lock(NAME).forceUnlock();

    LeaseLost loss = Worker.outcome(lease.lost());
    assertThat(loss.reason()).isEqualTo(Reason.NOT_AT_STORE);
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("L3")
  void aHolderHearsThatTheStoreLostItsMemory() throws InterruptedException {
    Lease lease = client(builder -> builder.lease(KEPT)).lock(NAME).acquire();

    loseEverything();

    assertLost(lease, Reason.NOT_AT_STORE);
    assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("L4")
  void aLossIsToldOnceToEachWhoAskedBeforeOrAfter() throws InterruptedException {
    Lease lease = client().lock(NAME).acquire(fixed(Delays.millis(50)));
    List<String> told = new CopyOnWriteArrayList<>();
    lease.onLost(loss -> told.add("first"));
    lease.onLost(loss -> told.add("second"));
    eventually().until(() -> !lease.isValid());

    lease.onLost(loss -> told.add("late"));

    eventually().until(() -> told.size() == 3);
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    lease.release();
    pass(Delays.millis(50));
    assertThat(told).containsExactlyInAnyOrder("first", "second", "late");
  }

  @Test
  @Promise("L4")
  void aReleaseIsNotALoss() throws InterruptedException {
    Lockkeeper keeper = client();
    Lease lease = keeper.lock(NAME).acquire();
    List<LeaseLost> told = new CopyOnWriteArrayList<>();
    lease.onLost(told::add);
    lease.release();
    lease.onLost(told::add);

    keeper.close();

    assertThat(told).isEmpty();
    assertThat(lease.lost().toCompletableFuture()).isNotDone();
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.remaining()).isZero();
  }

  @Test
  @Promise("L4")
  void anActionThatThrowsDoesNotKeepOthersFromBeingTold() throws InterruptedException {
    Lease lease = client().lock(NAME).acquire(fixed(Delays.millis(50)));
    CompletableFuture<LeaseLost> told = new CompletableFuture<>();
    lease.onLost(
        loss -> {
          throw new IllegalStateException("by the test's wish");
        });
    lease.onLost(told::complete);

    assertThat(Worker.get(told).name()).isEqualTo(NAME);
  }

  @Test
  @Promise("L5")
  void aFixedLeaseIsNotRenewed() {
    DistributedLock lock = client(builder -> builder.lease(Delays.millis(150))).lock(NAME);
    lock.lock(fixed(KEPT));
    Lease lease = lock.heldLease();
    assertThat(lease.remaining()).isGreaterThan(KEPT.dividedBy(2)).isLessThan(KEPT);

    assertLost(lease, Reason.FIXED_LEASE_ENDED);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    awaitFree(NAME);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("L5")
  void aTimedAttemptCanHaveAFixedLease() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);

    assertThat(lock.tryLock(fixed(BRIEF).withWait(Duration.ofSeconds(1)))).isTrue();

    Lease lease = lock.heldLease();
    assertLost(lease, Reason.FIXED_LEASE_ENDED);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("L6")
  void aThreadThatLostItsLockIsToldByEachUnlockAndThenBeginsAnew() {
    Faults faults = faults();
    DistributedLock lock = client(faults, builder -> builder.lease(SHORT)).lock(NAME);
    lock.lock();
    lock.lock();
    Lease lease = lock.heldLease();
    faults.refuse();
    eventually().until(() -> !lease.isValid());
    faults.heal();

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.getHoldCount()).isZero();
    assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    lock.lock();
    assertThat(lock.token()).isGreaterThan(lease.token());
    lock.unlock();
  }

  @Test
  @Promise("L6")
  void aThreadThatUnlocksOnlyWhatItHoldsIsToldOfALossOnce() throws InterruptedException {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    List<LockCall> calls =
        List.of(
            DistributedLock::lock,
            DistributedLock::lockInterruptibly,
            lock -> assertThat(lock.tryLock()).isTrue(),
            lock -> assertThat(lock.tryLock(KEPT)).isTrue());
    for (DistributedLock lock : List.of(keeper.lock(NAME), keeper.fairLock(NAME))) {
      for (LockCall call : calls) {
        lock.lock();
        lock.lock();
        Lease lease = lock.heldLease();
        assertThat(other.lock(NAME).forceUnlock()).isTrue();
        eventually().until(() -> !lease.isValid());
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        assertThatThrownBy(() -> call.on(lock)).isInstanceOf(LeaseLostException.class);
        call.on(lock);
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.token()).isGreaterThan(lease.token());
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
      }
    }
  }

  private interface LockCall {
    void on(DistributedLock lock) throws InterruptedException;
  }

  @Test
  @Promise("L6")
  void aLossThatALockHasToldIsToldByTheUnlocksOfTheTimeBeforeToo() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    lock.lock();
    Lease lease = lock.heldLease();
    assertThat(client().lock(NAME).forceUnlock()).isTrue();
    eventually().until(() -> !lease.isValid());

    assertThatThrownBy(lock::lock).as("inside").isInstanceOf(LeaseLostException.class);

    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    lock.lock();
    lock.unlock();
  }

  @Test
  @Promise("L6")
  void aLostLeaseIsNotRevivedWhenTheStoreIsBack() throws InterruptedException {
    Faults faults = faults();
    Lease lease = client(faults, builder -> builder.lease(SHORT)).lock(NAME).acquire();
    faults.refuse();
    eventually().until(() -> !lease.isValid());
    faults.heal();

    Lease next = client().lock(NAME).acquire();

    assertThat(lease.isValid()).isFalse();
    assertThatThrownBy(() -> lease.renew(SHORT)).isInstanceOf(LeaseLostException.class);
    assertThat(next.isValid()).isTrue();
    next.release();
  }
}

package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Defects of other lock libraries, which must not be here. Issue numbers are those projects' own.
 *
 * <p>This file is long because each defect that others have had is one test.
 */
public abstract class PeerRegressions extends TckBase {

  private Lockkeeper shortLived() {
    return client(builder -> builder.lease(KEPT));
  }

  /**
   * Redisson (#7272, #4368, #2714): lock() by an interrupted thread threw, but the lock had been
   * taken and went on being renewed with nobody to release it.
   */
  @Test
  @Promise({"D4", "X5", "K3"})
  void lockByAnInterruptedThreadLeavesNoLockBehind() {
    DistributedLock lock = client().lock(NAME);
    for (int i = 0; i < 20; i++) {
      Thread.currentThread().interrupt();
      lock.lock();
      assertThat(Thread.interrupted()).isTrue();
      lock.unlock();
      awaitFree(NAME);
    }
  }

  /**
   * Redisson (#4818, #3484): a lock object remembered the lease of an earlier call. After a lock
   * for one second had run out, a lock without a limit by the same object lasted one second too.
   */
  @Test
  @Promise({"L5", "K1"})
  void aLockIsNotShortenedByAnEarlierFixedLeaseOfTheSameObject() {
    DistributedLock lock = shortLived().lock(NAME);
    lock.lock(fixed(BRIEF));
    Lease expired = lock.heldLease();
    eventually().until(() -> !expired.isValid());

    lock.lock();

    assertThat(lock.token()).isGreaterThan(expired.token());
    outlive(KEPT);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  /** Redisson: a fenced lock with a lease ignored the lease and was renewed for ever. */
  @Test
  @Promise("L5")
  void aLockWithTokenAndLeaseEndsWithItsLease() {
    DistributedLock lock = client().lock(NAME);
    lock.lock(fixed(BRIEF));
    assertThat(lock.token()).isPositive();

    assertLost(lock.heldLease(), Reason.FIXED_LEASE_ENDED);
    awaitFree(NAME);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  /** Redisson: asking once for a fenced lock blocked until the holder released it. */
  @Test
  @Promise("D1")
  void askingOnceForALockWithATokenDoesNotBlock() throws InterruptedException {
    Lease held = client().lock(NAME).acquire();
    assertThat(client().lock(NAME).tryAcquire(Duration.ZERO)).isEmpty();
    assertThat(client().lock(NAME).tryLock()).isFalse();
    held.release();
  }

  /**
   * Redisson: re-entering a fenced lock raised the token, so that the holder's own first token
   * looked stale to the guarded system.
   */
  @Test
  @Promise("T2")
  void reEntryDoesNotMakeTheOuterTokenStale() {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    long outer = lock.token();
    lock.lock();
    assertThat(lock.token()).isEqualTo(outer);
    lock.unlock();
    assertThat(lock.token()).isEqualTo(outer);
    lock.unlock();
  }

  /**
   * Redisson: the first interrupt of a thread in lock() was swallowed with its status, the second
   * ended the wait with an exception that no caller expects there.
   */
  @Test
  @Promise("D4")
  void lockWaitsThroughManyInterruptsAndKeepsTheStatus() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().fairLock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> status =
        waiter.start(
            () -> {
              lock.lock();
              return Thread.interrupted();
            });
    for (int i = 0; i < 5; i++) {
      waiter.awaitParked();
      waiter.interrupt();
    }
    assertThat(status).isNotDone();

    held.unlock();

    assertThat(Worker.get(status)).isTrue();
    waiter.run(lock::unlock);
  }

  /**
   * Redisson: unlock() of a fair lock that had expired and that nobody had taken since returned as
   * if all were well.
   */
  @Test
  @Promise("R2")
  void unlockingAFairLockThatExpiredThrowsThoughNobodyTookIt() {
    DistributedLock lock = client().fairLock(NAME);
    lock.lock(fixed(BRIEF));
    Lease lease = lock.heldLease();
    eventually().until(() -> !lease.isValid());

    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  /**
   * Redisson (#1104, #2883, #4661, #6150): a fair lock's queue stopped for minutes behind a waiter
   * whose process had gone.
   */
  @Test
  @Promise({"W6", "W2"})
  void fourWaitersBehindADeadOneAreServedInOrder() {
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    Faults faults = faults();
    DistributedLock dead = client(faults).fairLock(NAME);
    worker().doom(dead::lock);
    awaitWaiting(NAME, 1);
    List<Integer> order = new ArrayList<>();
    List<Future<Boolean>> alive = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int index = i;
      DistributedLock lock = client().fairLock(NAME);
      alive.add(worker().begin(() -> noteUnder(lock, index, order)));
      awaitWaiting(NAME, i + 2);
    }

    faults.kill();
    held.unlock();

    alive.forEach(Worker::get);
    assertThat(order).containsExactly(0, 1, 2, 3);
  }

  private static void noteUnder(DistributedLock lock, int index, List<Integer> order) {
    lock.lock();
    order.add(index);
    lock.unlock();
  }

  /**
   * Redisson: interrupted waiters stayed in a fair lock's queue. A newcomer then failed to get the
   * free lock within 15 seconds, and sent 138,000 commands trying.
   */
  @Test
  @Promise({"W4", "D3"})
  void aFreeFairLockIsNotBlockedByInterruptedWaiters() throws InterruptedException {
    DistributedLock held = client().fairLock(NAME);
    DistributedLock left = client().fairLock(NAME);
    held.lock();
    for (int i = 0; i < 2; i++) {
      Worker waiter = worker();
      Future<Boolean> got = waiter.begin(left::lockInterruptibly);
      awaitWaiting(NAME, 1);
      waiter.interrupt();
      assertThatThrownBy(() -> Worker.get(got)).isInstanceOf(InterruptedException.class);
      awaitWaiting(NAME, 0);
    }
    held.unlock();
    Faults counted = faults();
    DistributedLock newcomer = client(counted).fairLock(NAME);

    assertThat(newcomer.tryLock(15, TimeUnit.SECONDS)).isTrue();

    assertThat(counted.requests()).isLessThanOrEqualTo(3);
    newcomer.unlock();
  }

  /**
   * Redisson: live waiters lost their places when a hold lasted longer than the queue's time limit.
   */
  @Test
  @Promise({"W2", "W6"})
  void aHoldLongerThanTheHeartbeatCostsNobodyItsPlace() {
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    List<Integer> order = new ArrayList<>();
    List<Future<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int index = i;
      DistributedLock lock = client().fairLock(NAME);
      waiters.add(worker().begin(() -> noteUnder(lock, index, order)));
      awaitWaiting(NAME, i + 1);
    }

    pass(Duration.ofMillis(5_500));
    held.unlock();

    waiters.forEach(Worker::get);
    assertThat(order).containsExactly(0, 1, 2);
  }

  /** Redisson (#4698, #3854): a holder whose lock was deleted at the store heard nothing. */
  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("L3")
  void aHolderHearsThatItsLockIsGoneFromTheStore() {
    DistributedLock lock = shortLived().lock(NAME);
    lock.lock();
    CompletableFuture<Reason> told = new CompletableFuture<>();
    lock.heldLease().onLost(loss -> told.complete(loss.reason()));

    loseEverything();

    assertThat(Worker.get(told)).isEqualTo(Reason.NOT_AT_STORE);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  /**
   * Redisson (#5761, #3891, #1763): a release whose message was lost left waiters stuck until the
   * lock's time limit or for ever.
   */
  @Test
  @Promise("W1")
  void aLostMessageDoesNotStallAWaiterThoughTheLeaseIsLong() {
    DistributedLock held = client(builder -> builder.lease(Duration.ofHours(1))).lock(NAME);
    Faults deaf = faults();
    DistributedLock waiting =
        client(deaf, builder -> builder.lease(Duration.ofHours(1))).lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);
    deaf.loseNotifications();

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
  }

  /**
   * Curator (#347), Redisson (#6844), Spring Integration (#8630): only the acquiring thread could
   * release.
   */
  @Test
  @Promise("R5")
  void aLeaseCanBeUsedAndReleasedOnAnyThread() {
    DistributedLock lock = client().lock(NAME);
    Lease lease = worker().call(lock::acquire);

    assertThat(worker().call(lease::isValid)).isTrue();
    worker().run(() -> lease.renew(Duration.ofSeconds(5)));
    worker().run(lease::release);

    awaitFree(NAME);
  }

  /**
   * Redisson (#3521, #6198), Spring Integration (#8687): a thread that died with the lock blocked
   * it for ever, in its own process too.
   */
  @Test
  @Promise("K4")
  void theLockOfADeadThreadIsFreeInItsOwnClientToo() {
    DistributedLock lock = shortLived().lock(NAME);
    Worker owner = worker();
    owner.run(lock::lock);
    owner.die();

    lock.lock();

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  /** Redisson: each lock and unlock left a timer behind, 34,000 of them after half a minute. */
  @Test
  @Promise("C4")
  void lockingAndUnlockingLeavesNoTimers() {
    CountingScheduler timers = new CountingScheduler();
    Lockkeeper keeper = client(builder -> builder.environment(timers.environment()));
    DistributedLock lock = keeper.lock(NAME);
    int rounds = Rounds.of(5_000);
    for (int i = 0; i < rounds; i++) {
      lock.lock();
      lock.unlock();
    }

    assertThat(timers.pending()).isLessThan(50);
  }

  /**
   * Spring Integration (#3636): each re-entry scheduled one more renewal, and unlocking ended only
   * one.
   */
  @Test
  @Promise({"C4", "E3"})
  void reEntryLeavesNoTimers() {
    CountingScheduler timers = new CountingScheduler();
    Lockkeeper keeper = client(builder -> builder.environment(timers.environment()));
    DistributedLock lock = keeper.lock(NAME);
    for (int i = 0; i < 50; i++) {
      lock.lock();
      lock.lock();
      lock.unlock();
      lock.unlock();
    }

    assertThat(timers.pending()).isLessThan(10);
  }

  /**
   * Redisson (#4109, #6025): an attempt that ended with an exception held the lock all the same.
   */
  @Test
  @Promise({"X5", "D5"})
  void anExceptionMeansNotLocked() {
    Faults faults = faults();
    DistributedLock lock =
        client(faults, builder -> builder.storeTimeout(Delays.millis(200))).lock(NAME);
    faults.loseReplies(1_000);

    assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.getHoldCount()).isZero();
    faults.loseReplies(0);
    awaitFree(NAME);
    DistributedLock other = client().lock(NAME);
    other.lock();
    assertThat(worker().call(() -> lock.tryLock())).isFalse();
    other.unlock();
  }

  /**
   * Curator: two objects of one path in one client were two locks, and the second one waited for
   * the first.
   */
  @Test
  @Promise("E2")
  void aSecondObjectOfOneNameDoesNotDeadlock() throws InterruptedException {
    Lockkeeper keeper = client();
    keeper.lock(NAME).lock();
    assertThat(keeper.lock(NAME).tryLock(1, TimeUnit.SECONDS)).isTrue();
    keeper.lock(NAME).unlock();
    keeper.lock(NAME).unlock();
  }

  /** Curator (#206, #604): after the session was lost a re-entrant acquire still said yes. */
  @Test
  @Promise("L6")
  void reEntryAfterALossIsRefused() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    Lease lease = lock.heldLease();
    client().lock(NAME).forceUnlock();
    eventually().until(() -> !lease.isValid());

    assertThatThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  /** ShedLock (#74, #317): unlocking after the time limit freed the lock of the next holder. */
  @Test
  @Promise("R2")
  void aLateUnlockDoesNotFreeTheNextHoldersLock() throws InterruptedException {
    Lease late = client().lock(NAME).acquire(fixed(Delays.millis(60)));
    DistributedLock next = client().lock(NAME);
    next.lock();

    assertThatThrownBy(late::close).isInstanceOf(LeaseLostException.class);

    assertThat(client().lock(NAME).tryLock()).isFalse();
    next.unlock();
  }

  /** Curator: the exception of the guarded code was hidden by one of the release. */
  @Test
  @Promise("R2")
  void theExceptionOfTheGuardedCodeIsNotHiddenByThatOfTheRelease() {
    DistributedLock lock = client().lock(NAME);
    AcquireOptions brief = fixed(Delays.millis(50));
    assertThatThrownBy(
            () -> {
              try (Lease lease = lock.acquire(brief)) {
                eventually().until(() -> !lease.isValid());
                throw new IllegalArgumentException("the work's own");
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .isInstanceOf(LeaseLostException.class));
  }

  /**
   * Redisson (#4467): work of two logical owners on one event-loop thread both "held" the lock,
   * since ownership went by thread.
   */
  @Test
  @Promise({"E4", "W10"})
  void twoAsynchronousOwnersOnOneThreadExcludeEachOther() {
    Worker loop = worker();
    Lockkeeper keeper = client(builder -> builder.executor(task -> loop.doom(task::run)));
    CompletableFuture<Lease> one = keeper.lock(NAME).acquireAsync().toCompletableFuture();
    Lease first = Worker.get(one);

    CompletableFuture<Lease> two = keeper.lock(NAME).acquireAsync().toCompletableFuture();

    pass(Delays.millis(50));
    assertThat(two).isNotDone();
    first.release();
    Worker.get(two).release();
  }

  /** jetcd (#291): a wait that was given up kept its place in line until its lease ran out. */
  @Test
  @Promise("W4")
  void waitsThatTimedOutDoNotDelayTheNext() {
    DistributedLock held = client().fairLock(NAME);
    DistributedLock impatient = client().fairLock(NAME);
    held.lock();
    CountDownLatch over = new CountDownLatch(1);
    together(
        10,
        i -> {
          assertThat(impatient.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
          over.countDown();
        });
    awaitWaiting(NAME, 0);
    DistributedLock next = client().fairLock(NAME);
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(next::lock);
    awaitWaiting(NAME, 1);

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(next::unlock);
  }
}

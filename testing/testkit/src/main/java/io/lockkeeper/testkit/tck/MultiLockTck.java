package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.MultiLease;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Several locks as one".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class MultiLockTck extends TckBase {

  private static final String A = "a";
  private static final String B = "b";
  private static final String C = "c";
  private static final Duration ROUND = Delays.millis(4_000);

  private static MultiLock multi(Lockkeeper keeper, String... names) {
    List<DistributedLock> locks = new ArrayList<>();
    for (String name : names) {
      locks.add(keeper.lock(name));
    }
    return Lockkeeper.multiLock(locks);
  }

  private void assertFree(String... names) {
    for (String name : names) {
      awaitFree(name);
      awaitWaiting(name, 0);
    }
  }

  @Test
  @Promise("ML1")
  void allMembersAreHeldAndReleasedTogether() throws InterruptedException {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    MultiLock lock =
        Lockkeeper.multiLock(keeper.lock(A), other.fairLock(B), keeper.lock(C), keeper.lock(A));
    assertThat(lock.locks()).extracting(DistributedLock::name).containsExactly(A, B, C);

    lock.lock();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    for (String name : List.of(A, B, C)) {
      assertThat(client().lock(name).tryLock()).isFalse();
    }
    lock.unlock();
    assertFree(A, B, C);

    try (MultiLease lease = lock.acquire()) {
      assertThat(lease.isValid()).isTrue();
      assertThat(lease.remaining()).isPositive();
      assertThat(client().lock(B).tryLock()).isFalse();
    }
    assertFree(A, B, C);
  }

  @Test
  @Promise("ML1")
  void oneThatIsTakenHasTheOthersGivenBack() throws InterruptedException {
    DistributedLock held = client().lock(C);
    held.lock();
    MultiLock lock = multi(client(), A, B, C);

    worker().run(() -> assertThat(lock.tryLock()).isFalse());
    assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
    assertThat(lock.tryAcquire(Delays.millis(20))).isEmpty();
    AcquireOptions brief = AcquireOptions.defaults().withWait(Delays.millis(20));
    assertThatThrownBy(() -> lock.acquire(brief)).isInstanceOf(AcquireTimeoutException.class);
    assertThatThrownBy(() -> Worker.outcome(lock.acquireAsync(brief)))
        .isInstanceOf(AcquireTimeoutException.class);

    assertFree(A, B);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    held.unlock();
  }

  @Test
  @Promise("ML1")
  void oneWhoseClientIsClosedHasTheOthersGivenBack() {
    Lockkeeper keeper = client();
    Lockkeeper closed = client();
    MultiLock lock = Lockkeeper.multiLock(keeper.lock(A), closed.lock(B));
    closed.close();

    assertThatThrownBy(lock::lock).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(lock::tryLock).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(lock::acquire).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.outcome(lock.acquireAsync()))
        .isInstanceOf(LockkeeperClosedException.class);

    assertFree(A);
  }

  @Test
  @Promise({"ML1", "ML5"})
  void ofTenThreadsThatAskAtOnceOneWins() {
    Lockkeeper keeper = client();
    AtomicInteger winners = new AtomicInteger();

    together(
        10,
        thread -> {
          MultiLock lock = multi(keeper, A, B, C);
          Duration never = Duration.ofMillis(-1);
          if (lock.tryLock(fixed(Duration.ofSeconds(10)).withWait(never))) {
            winners.incrementAndGet();
          }
        });

    assertThat(winners).hasValue(1);
  }

  @Test
  @Promise("ML2")
  void oppositeOrdersDoNotDeadlock() {
    Lockkeeper one = client();
    Lockkeeper two = client();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger rounds = new AtomicInteger();
    long end = System.nanoTime() + ROUND.toNanos();

    together(
        8,
        thread -> {
          Lockkeeper keeper = thread % 2 == 0 ? one : two;
          MultiLock lock = thread % 4 < 2 ? multi(keeper, A, B, C) : multi(keeper, C, B, A);
          while (System.nanoTime() < end) {
            lock.lock();
            try {
              assertThat(inside.incrementAndGet()).isEqualTo(1);
              inside.decrementAndGet();
              rounds.incrementAndGet();
            } finally {
              lock.unlock();
            }
          }
        });

    assertThat(rounds.get()).isGreaterThan(8);
  }

  @Test
  @Promise("ML3")
  void oneLimitIsForAllMembersTogether() throws InterruptedException {
    Lockkeeper holder = client();
    for (String name : List.of(A, B, C)) {
      holder.lock(name).lock();
    }
    MultiLock lock = multi(client(), A, B, C);

    Duration took = duration(() -> lock.tryLock(1, TimeUnit.SECONDS));
    assertThat(took).isBetween(Duration.ofMillis(990), Delays.millis(3_000));

    // With the first free the whole limit goes to the rest, and not to each.
    holder.lock(A).unlock();
    Duration second = duration(() -> lock.tryAcquire(Duration.ofSeconds(1)));
    assertThat(second).isBetween(Duration.ofMillis(990), Delays.millis(3_000));
    holder.lock(B).unlock();
    holder.lock(C).unlock();
    assertFree(A, B, C);
  }

  @Test
  @Promise("ML4")
  void oneReleaseThatFailsLeavesNoOtherHeld() {
    Lockkeeper keeper = client();
    MultiLock lock = multi(keeper, A, B, C);
    lock.lock();
    keeper.lock(B).unlock(); // somebody unlocked a member behind the multi-lock's back

    assertThatThrownBy(lock::unlock).isInstanceOf(RuntimeException.class);

    assertFree(A, B, C);
    lock.lock();
    lock.unlock();
  }

  @Test
  @Promise("ML5")
  void aLostMemberIsTheLossOfTheWhole() throws Exception {
    Lockkeeper keeper = client();
    MultiLock lock = multi(keeper, A, B, C);
    lock.lock();
    CompletableFuture<LeaseLost> told = new CompletableFuture<>();
    AtomicInteger times = new AtomicInteger();
    MultiLease held = lock.heldLease();
    held.onLost(
        loss -> {
          times.incrementAndGet();
          told.complete(loss);
        });

    client().lock(B).forceUnlock();

    assertThat(Worker.get(told).name()).isEqualTo(B);
    assertThat(held.isValid()).isFalse();
    assertThat(held.remaining()).isZero();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.getHoldCount()).isZero();
    assertFree(A, B, C);
    assertThatThrownBy(lock::tokens).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(times).hasValue(1);
    lock.lock();
    assertThat(keeper.lock(B).getHoldCount()).isEqualTo(1);
    lock.unlock();
  }

  @Test
  @Promise("ML5")
  void aLeaseWithALostMemberIsLost() throws InterruptedException {
    MultiLock lock = multi(client(), A, B);
    MultiLease lease = lock.acquire();
    CompletableFuture<LeaseLost> lost = lease.lost().toCompletableFuture();

    client().lock(A).forceUnlock();

    LeaseLost loss = Worker.get(lost);
    assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.NOT_AT_STORE);
    assertFree(A, B);
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    lease.release();
  }

  @Test
  @Promise("ML5")
  void aReleaseIsNotALoss() throws InterruptedException {
    MultiLock lock = multi(client(), A, B);
    AtomicInteger losses = new AtomicInteger();
    MultiLease lease = lock.acquire();
    lease.onLost(loss -> losses.incrementAndGet());
    lease.release();
    lease.release();
    lock.lock();
    lock.heldLease().onLost(loss -> losses.incrementAndGet());
    lock.unlock();

    assertFree(A, B);
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.lost().toCompletableFuture()).isNotDone();
    assertThat(losses).hasValue(0);
  }

  @Test
  @Promise("ML5")
  void aDeadThreadsHoldEnds() {
    MultiLock lock = multi(client(builder -> builder.lease(Delays.millis(300))), A, B);
    Worker dying = worker();
    dying.run(lock::lock);
    dying.die();

    assertFree(A, B);
  }

  @Test
  @Promise("ML5")
  void membersAreRenewed() {
    MultiLock lock = multi(client(builder -> builder.lease(KEPT)), A, B);
    lock.lock();
    outlive(KEPT);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("ML6")
  void eachMemberHasItsToken() throws InterruptedException {
    Lockkeeper keeper = client();
    MultiLock lock = multi(keeper, B, A);
    lock.lock();
    List<Long> first = lock.tokens();
    assertThat(first).containsExactly(keeper.lock(B).token(), keeper.lock(A).token());
    lock.lock();
    assertThat(lock.tokens()).isEqualTo(first);
    lock.unlock();
    lock.unlock();
    try (MultiLease lease = lock.acquire()) {
      assertThat(lease.tokens().get(0)).isGreaterThan(first.get(0));
      assertThat(lease.tokens().get(1)).isGreaterThan(first.get(1));
    }
    assertThatThrownBy(lock::tokens).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::heldLease).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  @Promise({"ML7", "L6"})
  void aThreadThatDoesNotUnlockWhatItLostBeginsAnew() {
    Lockkeeper keeper = client();
    MultiLock lock = multi(keeper, A, B);
    lock.lock();
    assertThat(client().lock(B).forceUnlock()).isTrue();
    eventually().until(() -> !lock.isHeldByCurrentThread());

    assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
    lock.lock();
    assertThat(lock.getHoldCount()).isEqualTo(1);
    lock.unlock();
    awaitFree(A);
    awaitFree(B);
  }

  @Test
  @Promise("ML7")
  void itIsReEntrantAlsoThroughItsMembers() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedLock member = keeper.lock(B);
    MultiLock lock = multi(keeper, A, B);
    MultiLock overlapping = multi(keeper, B, C);

    member.lock();
    lock.lock();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    assertThat(lock.getHoldCount()).isEqualTo(3);
    overlapping.lock();
    assertThat(member.getHoldCount()).isEqualTo(3);
    overlapping.unlock();
    for (int i = 0; i < 3; i++) {
      lock.unlock();
    }

    awaitFree(A);
    assertThat(member.getHoldCount()).isEqualTo(1);
    member.unlock();
    assertFree(A, B, C);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  @Promise("ML7")
  void aLossLeavesWhatTheThreadHeldBefore() {
    Lockkeeper keeper = client();
    DistributedLock member = keeper.lock(B);
    MultiLock lock = multi(keeper, A, B);
    member.lock();
    lock.lock();
    assertALossLeavesTheMember(lock, member);
  }

  @Test
  @Promise("ML7")
  void aLossLeavesWhatTheThreadHasLockedOnceMoreSince() {
    Lockkeeper keeper = client();
    DistributedLock member = keeper.lock(B);
    MultiLock lock = multi(keeper, A, B);
    lock.lock();
    member.lock();
    assertALossLeavesTheMember(lock, member);
  }

  private void assertALossLeavesTheMember(MultiLock lock, DistributedLock member) {
    CompletableFuture<LeaseLost> lost = lock.heldLease().lost().toCompletableFuture();

    client().lock(A).forceUnlock();
    Worker.get(lost);

    assertThat(member.isHeldByCurrentThread()).isTrue();
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThat(member.getHoldCount()).isEqualTo(1);
    member.unlock();
    assertFree(A, B);
  }

  @Test
  @Promise("R8")
  void aStageSaysWhenAllStoresKnowOfARelease() throws InterruptedException {
    MultiLock one = multi(client(), A, B);
    MultiLock other = multi(client(), A, B);
    for (int i = 0; i < Rounds.of(50); i++) {
      Worker.outcome(one.tryAcquire(Duration.ZERO).orElseThrow().releaseAsync());
      Worker.outcome(other.tryAcquire(Duration.ZERO).orElseThrow().releaseAsync());
    }
    Faults faults = faults();
    MultiLease last = multi(client(faults), A, B).tryAcquire(Duration.ZERO).orElseThrow();
    faults.refuse();

    CompletableFuture<Void> released = last.releaseAsync().toCompletableFuture();

    assertThat(released).isNotDone();
    faults.heal();
    Worker.get(released);
    assertFree(A, B);
  }

  @Test
  @Promise("ML7")
  void aLeaseOnAMemberThatThisThreadHoldsIsRefusedInsteadOfWaitingForItself()
      throws InterruptedException {
    Lockkeeper keeper = client();
    keeper.lock(B).lock();
    MultiLock lock = multi(keeper, A, B);

    assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
    assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();

    awaitFree(A);
    keeper.lock(B).unlock();
  }

  @Test
  @Promise("ML8")
  void aFixedTimeCountsFromTheLastMember() {
    Lockkeeper keeper = client();
    DistributedLock late = client().lock(B);
    late.lock();
    MultiLock lock = multi(keeper, A, B);
    Worker worker = worker();
    Future<Boolean> got =
        worker.start(() -> lock.tryLock(fixed(Delays.millis(300)).withWait(Delays.patience())));
    awaitWaiting(B, 1);
    pass(Delays.millis(500));
    late.unlock();

    assertThat(Worker.get(got)).isTrue();
    assertFree(A, B);
    worker.run(
        () -> {
          assertThat(lock.isHeldByCurrentThread()).isFalse();
          assertThatThrownBy(lock::unlock)
              .isInstanceOfSatisfying(
                  LeaseLostException.class,
                  lost ->
                      assertThat(lost.loss().reason())
                          .isEqualTo(LeaseLost.Reason.FIXED_LEASE_ENDED));
          lock.lock(fixed(Delays.millis(50)));
        });
    assertFree(A, B);
    worker.run(
        () -> {
          lock.lock(); // a new beginning
          assertThat(lock.getHoldCount()).isEqualTo(1);
          lock.unlock();
        });
  }

  @Test
  @Promise("ML9")
  void anInterruptedOrCancelledWaitLeavesNothing() {
    DistributedLock held = client().lock(C);
    held.lock();
    MultiLock lock = multi(client(), A, B, C);
    Worker first = worker();
    Worker second = worker();
    Future<Boolean> one = first.begin(lock::lockInterruptibly);
    awaitWaiting(C, 1);
    Future<Boolean> two = second.begin(lock::acquire);
    CompletableFuture<MultiLease> three = lock.acquireAsync().toCompletableFuture();

    second.awaitParked();
    second.interrupt();
    assertThatThrownBy(() -> Worker.get(two)).isInstanceOf(InterruptedException.class);
    first.interrupt();
    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(InterruptedException.class);
    eventually().until(() -> inspect(B).holder() != null); // now it is the third
    three.cancel(false);

    assertFree(A, B);
    awaitWaiting(C, 0);
    held.unlock();
  }

  @Test
  @Promise("ML9")
  void anInterruptedWaitLeavesNothingOfAMemberThatWasReleasedMeanwhile() {
    DistributedLock held = client().lock(B);
    held.lock();
    Lockkeeper keeper = client();
    DistributedLock member = keeper.readWriteLock(A).readLock();
    MultiLock lock = Lockkeeper.multiLock(member, keeper.lock(B));
    Worker worker = worker();
    Lease before =
        worker.call(
            () -> {
              member.lock();
              return member.heldLease();
            });
    Future<Boolean> waiting = worker.begin(lock::lockInterruptibly);
    awaitWaiting(B, 1);

    before.release();
    worker.interrupt();

    assertThatThrownBy(() -> Worker.get(waiting)).isInstanceOf(InterruptedException.class);
    awaitFree(new ResourceId(ResourceKind.READ_WRITE_LOCK, A));
    awaitWaiting(B, 0);
    held.unlock();
  }

  @Test
  @Promise("ML9")
  void anAsynchronousAcquisitionGetsItsTurn() {
    DistributedLock held = client().lock(B);
    held.lock();
    MultiLock lock = multi(client(), A, B, C);
    CompletableFuture<MultiLease> later = lock.acquireAsync().toCompletableFuture();
    awaitWaiting(B, 1);
    held.unlock();
    MultiLease lease = Worker.get(later);
    assertThat(lease.isValid()).isTrue();
    lease.release();
    assertFree(A, B, C);
  }

  @Test
  @Promise("ML10")
  void whatCannotBeALockIsRefused() {
    DistributedLock lock = client().lock(A);
    DistributedLock again = client().lock(A);
    assertThatThrownBy(() -> Lockkeeper.multiLock()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Lockkeeper.multiLock(lock, again))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(A);
    DistributedReadWriteLock both = client().readWriteLock(A);
    assertThatThrownBy(() -> Lockkeeper.multiLock(both.readLock(), both.writeLock()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(A);
    MultiLock multi = Lockkeeper.multiLock(lock, both.readLock());
    assertThat(multi.locks()).hasSize(2);
    assertThatThrownBy(() -> multi.lock(fixed(Duration.ofMillis(1))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(multi::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @Promise("ML1")
  void leasesOfAMemberAndOfTheWholeExcludeEachOther() throws InterruptedException {
    Lockkeeper keeper = client();
    MultiLock lock = multi(keeper, A, B);
    try (Lease lease = client().lock(A).acquire()) {
      assertThat(lease.isValid()).isTrue();
      assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
    }
    awaitFree(A);
    try (MultiLease lease = lock.acquire()) {
      assertThat(lease.isValid()).isTrue();
      assertThat(client().lock(A).tryAcquire(Duration.ZERO)).isEmpty();
    }
  }
}

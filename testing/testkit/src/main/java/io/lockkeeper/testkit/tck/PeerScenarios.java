package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Expectations that the tests of other lock libraries (Redisson's locks, Curator's mutex) have, at
 * about the same numbers, with times scaled down.
 *
 * <p>This file is long because the scenarios share the numbers that others have chosen.
 */
public abstract class PeerScenarios extends TckBase {

  /** Plain on purpose: only the lock guards them. */
  private int count;

  private final List<Integer> order = new ArrayList<>();

  private void countUnder(DistributedLock lock) {
    lock.lock();
    count++;
    lock.unlock();
  }

  @Test
  @Promise("X1")
  void sixteenClientsCount() {
    int rounds = Rounds.of(100);
    together(
        16,
        i -> {
          DistributedLock lock = client16(i).lock(NAME);
          for (int round = 0; round < rounds; round++) {
            countUnder(lock);
          }
        });
    assertThat(count).isEqualTo(16 * rounds);
  }

  private final List<Lockkeeper> sixteen = new ArrayList<>();

  private synchronized Lockkeeper client16(int index) {
    while (sixteen.size() <= index) {
      sixteen.add(client());
    }
    return sixteen.get(index);
  }

  @Test
  @Promise("X1")
  void manyClientsCountOnceEach() {
    int clients = Rounds.of(100);
    List<Lockkeeper> keepers = IntStream.range(0, clients).mapToObj(i -> client()).toList();
    together(clients, i -> countUnder(keepers.get(i).lock(NAME)));
    assertThat(count).isEqualTo(clients);
  }

  @Test
  @Promise("X1")
  void fifteenTasksOfOneClientCountTo15() {
    DistributedLock lock = client().fairLock(NAME);
    together(15, i -> countUnder(lock));
    assertThat(count).isEqualTo(15);
  }

  @Test
  @Promise({"W9", "C4"})
  void thirtyTwoThreadsWorkThrough5000LocksOfFiveNames() {
    Lockkeeper keeper = client();
    long seed = System.nanoTime();
    System.out.println("thirtyTwoThreadsWorkThrough5000LocksOfFiveNames: seed " + seed);
    AtomicInteger left = new AtomicInteger(5_000);
    together(
        32,
        i -> {
          Random random = new Random(seed + i);
          while (left.getAndDecrement() > 0) {
            DistributedLock lock = keeper.lock("lock-" + random.nextInt(5));
            if (random.nextBoolean()) {
              lock.lock();
            } else if (!lock.tryLock(1, TimeUnit.HOURS)) {
              throw new AssertionError("an hour cannot have passed");
            }
            lock.unlock();
          }
        });
  }

  @Test
  @Promise("D2")
  void twoThreadsOnEachOfTwoNamesAllGetTheirLockInTime() {
    Lockkeeper keeper = client();
    together(
        4,
        i -> {
          DistributedLock lock = keeper.lock("lock-" + i % 2);
          for (int round = 0; round < Rounds.of(50); round++) {
            assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
          }
        });
  }

  @Test
  @Promise({"L5", "W5"})
  void aWaiterIsLetInWhenTheHoldersLeaseEnds() {
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client().lock(NAME);
    held.lock(fixed(BRIEF));
    Lease first = held.heldLease();

    waiting.lock();

    assertThat(first.isValid()).isFalse();
    assertThatThrownBy(held::unlock).isInstanceOf(LeaseLostException.class);
    assertThat(waiting.isHeldByCurrentThread()).isTrue();
    waiting.unlock();
  }

  @Test
  @Promise("E5")
  void threeReEntriesDoNotMoveTheEnd() {
    DistributedLock lock = client().lock(NAME);
    for (int i = 0; i < 3; i++) {
      lock.lock(fixed(Duration.ofSeconds(10)));
    }
    assertThat(lock.heldLease().remaining())
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    for (int i = 0; i < 3; i++) {
      lock.unlock();
    }
  }

  @Test
  @Promise("C1")
  void theLockOfAClientThatShutsDownIsFree() {
    Lockkeeper leaving = client();
    leaving.lock(NAME).lock();
    leaving.close();

    assertThat(client().lock(NAME).tryLock()).isTrue();
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise({"L3", "K1"})
  void afterAnEmptyRestartAHolderIsToldAndTheNextHoldIsRenewed() {
    DistributedLock lock = client(builder -> builder.lease(KEPT)).lock(NAME);
    lock.lock();
    Lease first = lock.heldLease();
    loseEverything();
    eventually().until(() -> !first.isValid());
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);

    lock.lock();

    outlive(KEPT);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise({"E1", "K1"})
  void afterNestedLocksAnotherThreadsHoldIsRenewedAsEver() {
    DistributedLock lock = client(builder -> builder.lease(KEPT)).lock(NAME);
    lock.lock();
    lock.lock();
    lock.unlock();
    lock.unlock();
    Worker other = worker();
    other.run(lock::lock);

    outlive(KEPT);

    assertThat(other.call(lock::isHeldByCurrentThread)).isTrue();
    other.run(lock::unlock);
  }

  @Test
  @Promise({"W4", "D3"})
  void anInterruptedAttemptIsNotFoundLockedLater() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client(builder -> builder.lease(KEPT)).lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.start(() -> lock.tryLock(1, TimeUnit.HOURS));
    awaitWaiting(NAME, 1);
    waiter.interrupt();
    assertThatThrownBy(() -> Worker.get(got)).isInstanceOf(InterruptedException.class);

    held.unlock();

    awaitFree(NAME);
    outlive(KEPT);
    assertThat(inspect(NAME).holder()).isNull();
  }

  @Test
  @Promise("K1")
  void afterManyAttemptsOf16ThreadsAHoldIsStillRenewed() {
    DistributedLock lock = client(builder -> builder.lease(KEPT)).lock(NAME);
    together(
        16,
        i -> {
          for (int round = 0; round < 1_000; round++) {
            if (lock.tryLock()) {
              lock.unlock();
            }
          }
        });

    lock.lock();

    outlive(KEPT);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("W2")
  void eightWaitersThatLetTheirLeasesRunOutAreServedInOrder() {
    ConcurrentLinkedQueue<LockEvent> events = new ConcurrentLinkedQueue<>();
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    List<Future<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DistributedLock lock = client(builder -> builder.listener(events::add)).fairLock(NAME);
      waiters.add(worker().begin(() -> lock.lock(fixed(Delays.millis(100)))));
      awaitWaiting(NAME, i + 1);
    }

    held.unlock();

    waiters.forEach(Worker::get);
    eventually().until(() -> OrderTck.acquired(events).size() >= 8);
    // As below: on a slow machine one of them may learn of its grant too late.
    List<Long> places =
        OrderTck.acquired(events).stream()
            .flatMapToLong(event -> event.arrival().stream())
            .boxed()
            .toList();
    assertThat(places).hasSizeGreaterThan(4).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Promise("W2")
  void whoHearsOfItsGrantWhenThatIsOverAsksAgainAndHasNoPlaceInTheQueue() {
    ConcurrentLinkedQueue<LockEvent> events = new ConcurrentLinkedQueue<>();
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    Faults faults = faults();
    DistributedLock late = client(faults, builder -> builder.listener(events::add)).fairLock(NAME);
    Future<Boolean> waiter = worker().begin(() -> late.lock(fixed(Delays.millis(100))));
    awaitWaiting(NAME, 1);
    faults.loseNotifications();
    faults.silence();

    held.unlock();
    eventually().until(() -> inspect(NAME).waiting() == 0 && !held.isLocked());
    faults.heal();

    assertThat(Worker.get(waiter)).isTrue();
    eventually().until(() -> !OrderTck.acquired(events).isEmpty());
    assertThat(OrderTck.acquired(events))
        .singleElement()
        .satisfies(event -> assertThat(event.arrival()).isEmpty());
  }

  @Test
  @Promise("W9")
  void fiveHundredThreadsAllGetTheFairLock() {
    List<Lockkeeper> keepers = List.of(client(), client());
    together(500, i -> countUnder(keepers.get(i % 2).fairLock(NAME)));
    assertThat(count).isEqualTo(500);
  }

  @Test
  @Promise({"W4", "W6", "W7"})
  void fiftyShortAttemptsAndOneDeadWaiterDoNotDelayTheNext() {
    DistributedLock held = client().fairLock(NAME);
    DistributedLock impatient = client().fairLock(NAME);
    held.lock();
    Faults faults = faults();
    DistributedLock dead = client(faults).fairLock(NAME);
    worker().doom(dead::lock);
    awaitWaiting(NAME, 1);
    together(50, i -> assertThat(impatient.tryLock(10, TimeUnit.MILLISECONDS)).isFalse());
    faults.kill();
    DistributedLock next = client().fairLock(NAME);
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(next::lock);
    eventually().until(() -> inspect(NAME).waiting() >= 1);

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(next::unlock);
  }

  @Test
  @Promise({"D2", "W4"})
  void anAttemptThatTimesOutWhileTheStoreIsAwayLeavesNoPlace() throws InterruptedException {
    Faults faults = faults();
    DistributedLock held = client().fairLock(NAME);
    DistributedLock lock = client(faults).fairLock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.start(() -> lock.tryLock(1_500, TimeUnit.MILLISECONDS));
    awaitWaiting(NAME, 1);
    faults.refuse();
    assertThat(Worker.get(got)).isFalse();
    assertThat(inspect(NAME).waiting()).isEqualTo(1);

    faults.heal();

    awaitWaiting(NAME, 0);
    held.unlock();
  }

  @Test
  @Promise({"W8", "K2"})
  void aStoreThatWasAwayWhileTheLockWasHeldLetsTheWaiterInAfterwards() {
    Faults one = faults();
    Faults two = faults();
    DistributedLock held = client(one).lock(NAME);
    DistributedLock waiting = client(two).lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);
    one.refuse();
    two.refuse();
    held.unlock();
    pass(Delays.millis(200));

    one.heal();
    two.heal();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
  }

  @Test
  @Promise("E1")
  void threeNestedLocksAreHeldUntilTheLastUnlock() {
    DistributedLock lock = client().lock(NAME);
    DistributedLock other = client().lock(NAME);
    for (int i = 0; i < 3; i++) {
      lock.lock();
    }
    for (int i = 0; i < 3; i++) {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      assertThat(other.tryLock()).isFalse();
      lock.unlock();
    }
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    other.lock();
    other.unlock();
  }

  @Test
  @Promise("X1")
  void tenThreadsOnOneObjectNeverOverlap() {
    DistributedLock lock = client().lock(NAME);
    AtomicInteger inside = new AtomicInteger();
    together(
        10,
        i -> {
          for (int round = 0; round < Rounds.of(50); round++) {
            lock.lock();
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            inside.decrementAndGet();
            lock.unlock();
          }
        });
  }

  @Test
  @Promise({"W2", "W9"})
  void twoClientsThatKeepAskingForAFairLockAlternate() {
    List<Lockkeeper> keepers = List.of(client(), client());
    together(
        2,
        i -> {
          DistributedLock lock = keepers.get(i).fairLock(NAME);
          for (int round = 0; round < 100; round++) {
            lock.lock();
            order.add(i);
            if (order.size() < 150) {
              awaitWaiting(NAME, 1); // the other one is back in line
            }
            lock.unlock();
          }
        });

    List<Integer> first = order.subList(0, 150);
    assertThat(IntStream.range(1, 150).filter(i -> first.get(i).equals(first.get(i - 1))).count())
        .isZero();
  }

  @Test
  @Promise({"R7", "L3"})
  void aHolderThatIsAskedToLeaveByForceLetsTheNextInAndStopsItsWork() {
    DistributedLock held = client().lock(NAME);
    DistributedLock next = client().lock(NAME);
    held.lock();
    CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    held.heldLease().onLost(loss -> stopped.complete(true));
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(next::lock);
    awaitWaiting(NAME, 1);

    client().lock(NAME).forceUnlock();

    assertThat(Worker.get(stopped)).isTrue();
    assertThat(Worker.get(got)).isTrue();
    waiter.run(next::unlock);
  }
}

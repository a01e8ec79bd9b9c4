package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DeadlockException;
import io.lockkeeper.DeadlockMember;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** Chapter "Deadlocks": threads of several clients that wait for each other in a circle. */
public abstract class DeadlockTck extends TckBase {

  private final ConcurrentLinkedQueue<LockEvent.Deadlock> told = new ConcurrentLinkedQueue<>();

  private Lockkeeper client(boolean breaks) {
    return client(
        builder ->
            builder
                .deadlockCheck(Delays.millis(300))
                .breakDeadlocks(breaks)
                .listener(
                    event -> {
                      if (event instanceof LockEvent.Deadlock deadlock) {
                        told.add(deadlock);
                      }
                    }));
  }

  /** Locks the first and then the second, and unlocks what it has got. */
  private static void both(Lock first, Lock second, Runnable between) {
    first.lock();
    try {
      between.run();
      second.lock();
      second.unlock();
    } finally {
      first.unlock();
    }
  }

  /** Makes two threads lock two locks in opposite orders, each when the other has its first. */
  private void embrace(Lock a, Lock b, Lock sameAsB, Lock sameAsA) {
    AtomicInteger ready = new AtomicInteger();
    Runnable meet =
        () -> {
          ready.incrementAndGet();
          eventually().until(() -> ready.get() == 2);
        };
    AtomicInteger broken = new AtomicInteger();
    together(
        2,
        i -> {
          try {
            both(i == 0 ? a : sameAsB, i == 0 ? b : sameAsA, meet);
          } catch (DeadlockException e) {
            assertThat(e.cycle()).hasSize(2);
            assertThat(e).hasMessageContaining("waits for");
            broken.incrementAndGet();
          }
        });
    assertThat(broken.get()).isEqualTo(1);
  }

  @Test
  @Promise({"DL1", "DL3"})
  void twoClientsThatLockInOppositeOrdersAreFreed() {
    Lockkeeper one = client(true);
    Lockkeeper two = client(true);

    embrace(one.lock("a"), one.lock("b"), two.lock("b"), two.lock("a"));

    eventually().until(() -> told.size() == 2);
    assertThat(told).filteredOn(LockEvent.Deadlock::broken).hasSize(1);
    List<DeadlockMember> cycle = told.peek().cycle();
    assertThat(cycle).extracting(DeadlockMember::waitsFor).containsOnly("lock 'a'", "lock 'b'");
    assertThat(cycle).extracting(DeadlockMember::thread).allMatch(name -> name.contains("worker"));
  }

  @Test
  @Promise({"DL1", "DL3"})
  void fairLocksOfOneClientToo() {
    Lockkeeper keeper = client(true);

    embrace(keeper.fairLock("a"), keeper.fairLock("b"), keeper.fairLock("b"), keeper.fairLock("a"));
  }

  @Test
  @Promise({"DL1", "DL3"})
  void readersAndWritersToo() {
    Lockkeeper one = client(true);
    Lockkeeper two = client(true);
    DistributedReadWriteLock reads = one.readWriteLock("rw");
    DistributedReadWriteLock writes = two.readWriteLock("rw");

    embrace(reads.readLock(), one.lock("a"), two.lock("a"), writes.writeLock());
  }

  @Test
  @Promise("DL3")
  void onlyAClientThatAllowsItHasItsWaitEnded() {
    Lockkeeper strict = client(false);
    Lockkeeper yielding = client(true);
    Worker first = worker();
    DistributedLock a = strict.lock("a");
    first.run(a::lock);
    Worker second = worker();
    second.run(() -> yielding.lock("b").lock());
    Future<Boolean> waits =
        second.begin(
            () -> {
              assertThatThrownBy(() -> yielding.lock("a").lock())
                  .isInstanceOf(DeadlockException.class);
              yielding.lock("b").unlock();
            });
    awaitWaiting("a", 1); // this wait is the older one, and yet it is the one to end

    Future<Boolean> gets =
        first.begin(
            () -> {
              strict.lock("b").lock();
              strict.lock("b").unlock();
              a.unlock();
            });

    Worker.get(waits);
    Worker.get(gets);
  }

  @Test
  @Promise("DL3")
  void otherwiseItIsOnlyTold() {
    Lockkeeper one = client(false);
    Lockkeeper two = client(false);
    Worker first = worker();
    Worker second = worker();
    first.run(() -> one.lock("a").lock());
    second.run(() -> two.lock("b").lock());
    Future<Boolean> fromA =
        first.start(() -> one.lock("b").tryLock(fixed(LONG).withWait(Delays.patience())));
    Future<Boolean> fromB =
        second.start(() -> two.lock("a").tryLock(fixed(LONG).withWait(Delays.patience())));

    eventually().until(() -> told.size() == 2);
    assertThat(told).noneMatch(LockEvent.Deadlock::broken);
    assertThat(fromA).isNotDone();
    assertThat(fromB).isNotDone();
    first.interrupt();
    second.interrupt();
  }

  @Test
  @Promise("DL4")
  void aClientWithoutDetectionShowsItsThreadsToNobody() {
    Lockkeeper blind =
        client(builder -> builder.deadlockDetection(false).deadlockCheck(Delays.millis(300)));
    Lockkeeper other = client(false);
    Worker first = worker();
    Worker second = worker();
    first.run(() -> blind.lock("a").lock());
    second.run(() -> other.lock("b").lock());

    Future<Boolean> fromA = first.start(() -> blind.lock("b").tryLock(Delays.millis(2_000)));
    Future<Boolean> fromB = second.start(() -> other.lock("a").tryLock(Delays.millis(2_000)));

    Worker.get(fromA);
    Worker.get(fromB);
    assertThat(told).isEmpty();
    assertThatThrownBy(
            () -> client(builder -> builder.deadlockDetection(false).breakDeadlocks(true)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  @Promise("DL1")
  void aCircleOfFiveClientsIsFound() {
    AtomicInteger ready = new AtomicInteger();
    AtomicInteger broken = new AtomicInteger();
    Lockkeeper[] keepers = new Lockkeeper[5];
    for (int i = 0; i < keepers.length; i++) {
      keepers[i] = client(true);
    }

    together(
        keepers.length,
        i -> {
          try {
            both(
                keepers[i].lock("lock " + i),
                keepers[i].lock("lock " + (i + 1) % keepers.length),
                () -> {
                  ready.incrementAndGet();
                  eventually().until(() -> ready.get() == keepers.length);
                });
          } catch (DeadlockException e) {
            assertThat(e.cycle()).hasSize(keepers.length);
            broken.incrementAndGet();
          }
        });

    assertThat(broken.get()).isEqualTo(1);
  }

  @Test
  @Promise("DL2")
  void aWaitForASemaphoreThatAnotherWillGiveBackIsNoDeadlock() throws Exception {
    Lockkeeper one = client(true);
    Lockkeeper two = client(true);
    Worker first = worker();
    Worker second = worker();
    Lease other = one.semaphore("s", 2).acquire();
    Lease mine = first.call(() -> one.semaphore("s", 2).acquire());
    second.run(() -> two.lock("a").lock());
    Future<Boolean> waitsForLock =
        first.begin(
            () -> {
              one.lock("a").lock();
              one.lock("a").unlock();
              mine.release();
            });
    Future<Boolean> waitsForPermit =
        second.begin(
            () -> {
              two.semaphore("s", 2).acquire().release();
              two.lock("a").unlock();
            });

    pass(Delays.millis(1_500));
    assertThat(told).isEmpty();
    other.release();

    Worker.get(waitsForPermit);
    Worker.get(waitsForLock);
  }

  @Test
  @Promise("DL1")
  void aSemaphoreWhosePermitsAreAllInTheCircleIsADeadlock() {
    Lockkeeper one = client(true);
    Lockkeeper two = client(true);
    Worker first = worker();
    Worker second = worker();
    Lease permit = first.call(() -> one.semaphore("s", 1).acquire());
    second.run(() -> two.lock("a").lock());
    List<String> yielded = new CopyOnWriteArrayList<>();
    Future<Boolean> waitsForLock =
        first.begin(
            () -> {
              try {
                one.lock("a").lock();
                one.lock("a").unlock();
              } catch (DeadlockException e) {
                yielded.add("first");
              }
              permit.release();
            });

    eventually().until(() -> inspect("a").waiting() == 1);
    second.run(
        () -> {
          try {
            two.semaphore("s", 1).acquire().release();
          } catch (DeadlockException e) {
            yielded.add("second");
          }
          two.lock("a").unlock();
        });

    Worker.get(waitsForLock);
    assertThat(yielded).hasSize(1);
    if (store().comparesArrivals()) {
      assertThat(yielded).containsExactly("second");
    }
  }

  @Test
  @Promise("DL2")
  void manyWhoWaitForOneAreNoDeadlock() {
    Lockkeeper keeper = client(true);
    Lockkeeper other = client(true);
    DistributedLock wanted = other.lock("wanted");
    wanted.lock();
    Future<?>[] all = new Future<?>[6];
    for (int i = 0; i < all.length; i++) {
      Lock own = keeper.lock("own " + i);
      all[i] = worker().begin(() -> both(own, keeper.lock("wanted"), () -> {}));
    }

    pass(Delays.millis(1_500));
    wanted.unlock();

    for (Future<?> each : all) {
      Worker.get(each);
    }
    assertThat(told).isEmpty();
  }

  @Test
  @Promise("DL2")
  void randomLoadWithoutDeadlocksIsNeverTold() {
    long seed = System.nanoTime();
    AtomicBoolean over = new AtomicBoolean();
    Lockkeeper[] keepers = {client(true), client(true)};
    worker()
        .doom(
            () -> {
              pass(Delays.millis(4_000));
              over.set(true);
            });

    together(
        8,
        i -> {
          Random random = new Random(seed + i);
          Lockkeeper keeper = keepers[i % 2];
          while (!over.get()) {
            int low = random.nextInt(3); // always from low to high, so nobody is ever stuck
            both(
                keeper.lock("lock " + low),
                keeper.lock("lock " + (low + 1 + random.nextInt(2))),
                () -> {
                  if (random.nextInt(20) == 0) {
                    pass(Delays.millis(250));
                  }
                });
          }
        });

    assertThat(told).as("seed " + seed).isEmpty();
  }

  @Test
  @Promise("DL4")
  void whoHoldsNothingCostsNothing() {
    assumeNotifications();
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.deadlockCheck(Duration.ofMillis(100)));
    DistributedLock held = client(true).lock(NAME);
    held.lock();
    Future<Boolean> waits =
        worker()
            .begin(
                () -> {
                  keeper.lock(NAME).lock();
                  keeper.lock(NAME).unlock();
                });
    awaitWaiting(NAME, 1);
    long requests = faults.requests();
    long begin = System.nanoTime();

    pass(Duration.ofSeconds(2));

    long looks = faults.requests() - requests;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    assertThat(looks).as("looks at the queue, one a second").isLessThanOrEqualTo(seconds + 2);
    held.unlock();
    Worker.get(waits);
  }
}

package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Inspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Chapter "Closing". */
public abstract class ClosingTck extends TckBase {

  /** How many are connected and closed where each may leave nothing. */
  private static final int CLIENTS = 6;

  @Test
  @Promise({"C1", "C4"})
  void closingReleasesEverythingAndTellsTheHolders() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Lease lease = keeper.fairLock("other").acquire();

    keeper.close();

    assertLost(lease, Reason.CLIENT_CLOSED);
    assertThat(lease.isValid()).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    assertThat(inspect(NAME).holder()).isNull();
    assertThat(inspect("other").holder()).isNull();
  }

  @Test
  @Promise("C1")
  void theNextInLineGetsTheLockOfAClosedClient() {
    Lockkeeper keeper = client();
    keeper.lock(NAME).lock();
    DistributedLock waiting = client().lock(NAME);
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    keeper.close();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
  }

  @Test
  @Promise({"C2", "W4"})
  void closingEndsEveryKindOfWait() {
    DistributedLock held = client().lock(NAME);
    held.lock();
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    DistributedLock fair = keeper.fairLock(NAME);
    Future<Boolean> one = worker().begin(lock::lock);
    Future<Boolean> two = worker().begin(fair::lockInterruptibly);
    Future<Boolean> three = worker().start(() -> fair.tryLock(1, TimeUnit.HOURS));
    Future<Lease> four = worker().start(lock::acquire);
    CompletableFuture<Lease> five = fair.acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 4);

    keeper.close();

    assertClosed(one);
    assertClosed(two);
    assertClosed(three);
    assertClosed(four);
    assertClosed(five);
    awaitWaiting(NAME, 0);
    held.unlock();
    awaitFree(NAME);
  }

  private static void assertClosed(Future<?> future) {
    assertThatThrownBy(() -> Worker.get(future)).isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  @Promise("C2")
  void closingEndsTheWaitsOfLocalWaitersToo() {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();

    keeper.close();

    assertClosed(got);
    assertThat(inspect(NAME).holder()).isNull();
  }

  @Test
  @Promise("C3")
  void nothingCanBeAcquiredAfterClosing() {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);

    keeper.close();
    keeper.close();

    assertThatThrownBy(lock::lock).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(lock::tryLock).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(lock::acquire).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> lock.tryAcquire(Duration.ZERO))
        .isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.get(asyncOf(lock)))
        .isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> keeper.lock("new").lock())
        .isInstanceOf(LockkeeperClosedException.class);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  private static CompletableFuture<Lease> asyncOf(DistributedLock lock) {
    return lock.acquireAsync().toCompletableFuture();
  }

  @Test
  @Promise("C3")
  void closingTakesABoundedTimeThoughTheStoreIsSilent() throws InterruptedException {
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.lease(Duration.ofSeconds(10)));
    Lease lease = keeper.lock(NAME).acquire();
    faults.silence();

    Duration took =
        duration(
            () -> {
              keeper.close();
              return true;
            });

    assertThat(took).isLessThan(Delays.patience());
    assertThat(lease.isValid()).isFalse();
    assertThat(client().lock(NAME).forceUnlock()).isTrue(); // the lease would have ended by itself
  }

  @Test
  @Promise({"C1", "C2", "C4"})
  void closingWhileManyThreadsLockAndUnlockEndsAllOfThem() {
    for (int round = 0; round < Rounds.of(40); round++) {
      Lockkeeper keeper = client();
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        DistributedLock lock = i % 2 == 0 ? keeper.lock(NAME) : keeper.fairLock(NAME);
        all.add(worker().begin(() -> lockForEver(lock)));
      }
      pass(Duration.ofMillis(round % 10));

      keeper.close();

      all.forEach(ClosingTck::assertEnded);
      assertThat(inspect(NAME)).isEqualTo(new Inspection(null, List.of()));
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void lockForEver(DistributedLock lock) {
    while (true) {
      lock.lock();
      lock.unlock();
    }
  }

  /** Ended because the client was closed: before the lock was got, or while it was held. */
  private static void assertEnded(Future<?> future) {
    assertThatThrownBy(() -> Worker.get(future))
        .isInstanceOfAny(LockkeeperClosedException.class, LeaseLostException.class);
  }

  @Test
  @Promise("C3")
  void aClientCanBeClosedByItsOwnCallback() throws InterruptedException {
    Lockkeeper keeper = client();
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    keeper
        .lock(NAME)
        .acquire()
        .onLost(
            loss -> {
              keeper.close();
              closed.complete(true);
            });

    client().lock(NAME).forceUnlock();

    assertThat(Worker.get(closed)).isTrue();
  }

  @Test
  @Promise({"C1", "C3", "C4"})
  void aThreadThatIsInterruptedClosesAClientAsAnyOther() {
    awaitFree(NAME);
    client().close(); // what is started once per process has been started now
    Worker closer = worker();
    Set<Thread> before = Threads.all();
    for (int i = 0; i < CLIENTS; i++) {
      Lockkeeper keeper = client();
      boolean isInterrupted =
          Worker.get(
              closer.start(
                  () -> {
                    keeper.lock(NAME).lock();
                    Thread.currentThread().interrupt();
                    keeper.close();
                    keeper.close();
                    return Thread.interrupted();
                  }));
      assertThat(isInterrupted).as("the interrupt is kept").isTrue();
      awaitFree(NAME);
    }
    awaitNoThreadsOfEachClient(before);
  }

  @Test
  @Promise("C4")
  void aThreadThatIsInterruptedConnectsOrHearsWhyNotAndLeavesNothing() {
    client().close();
    Worker caller = worker();
    Set<Thread> before = Threads.all();
    for (int i = 0; i < CLIENTS; i++) {
      boolean isInterrupted =
          Worker.get(
              caller.start(
                  () -> {
                    Thread.currentThread().interrupt();
                    connectAndCloseUnlessInterrupted();
                    return Thread.interrupted();
                  }));
      assertThat(isInterrupted).as("the interrupt is kept").isTrue();
    }
    awaitNoThreadsOfEachClient(before);
  }

  /** A store that need not wait for anything connects. */
  private void connectAndCloseUnlessInterrupted() {
    try {
      client().close();
    } catch (StoreUnavailableException e) {
      assertThat(e).hasMessageContaining("interrupted");
    }
  }

  /** Some threads a driver or the JVM starts late and once; none may be left by each client. */
  private static void awaitNoThreadsOfEachClient(Set<Thread> before) {
    eventually()
        .untilAsserted(
            () -> {
              Set<Thread> now = Threads.all();
              now.removeAll(before);
              assertThat(now).as("threads left").hasSizeLessThan(CLIENTS);
            });
  }
}

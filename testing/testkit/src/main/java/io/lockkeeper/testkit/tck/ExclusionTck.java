package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Chapter "Exclusion". */
public abstract class ExclusionTck extends TckBase {

  private static final Duration NO_WAIT = Duration.ZERO;

  private final AtomicInteger inside = new AtomicInteger();

  /** Plain on purpose: only the lock keeps it from losing updates. */
  private int count;

  @Test
  @Promise({"X1", "X4", "W9"})
  void manyThreadsOfManyClientsHoldALockOneAtATime() {
    List<Lockkeeper> keepers = List.of(client(), client(), client());

    together(12, i -> countUnder(keepers.get(i % 3).lock(NAME), 50));

    assertThat(count).isEqualTo(600);
  }

  @Test
  @Promise({"X1", "X4", "W9"})
  void manyThreadsOfManyClientsHoldAFairLockOneAtATime() {
    List<Lockkeeper> keepers = List.of(client(), client(), client());

    together(12, i -> countUnder(keepers.get(i % 3).fairLock(NAME), 20));

    assertThat(count).isEqualTo(240);
  }

  @Test
  @Promise({"X1", "X2", "X4"})
  void lockFairLockAndLeasesOfOneNameAreHeldOneAtATime() {
    List<Lockkeeper> keepers = List.of(client(), client());

    together(
        12,
        i -> {
          Lockkeeper keeper = keepers.get(i % 2);
          switch (i % 3) {
            case 0 -> countUnder(keeper.lock(NAME), 20);
            case 1 -> countUnder(keeper.fairLock(NAME), 20);
            default -> countUnderLeases(keeper.lock(NAME), 20);
          }
        });

    assertThat(count).isEqualTo(240);
  }

  private void countUnder(DistributedLock lock, int times) {
    for (int i = 0; i < times; i++) {
      lock.lock();
      try {
        countAlone();
      } finally {
        lock.unlock();
      }
    }
  }

  private void countUnderLeases(DistributedLock lock, int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      try (Lease lease = lock.acquire()) {
        assertThat(lease.isValid()).isTrue();
        countAlone();
      }
    }
  }

  private void countAlone() {
    assertThat(inside.incrementAndGet()).isEqualTo(1);
    count++;
    inside.decrementAndGet();
  }

  @Test
  @Promise({"X1", "L1"})
  void whenAnExpiredLeaseIsFollowedByAnotherItIsNoLongerValid() {
    List<Lockkeeper> keepers = List.of(client(), client());
    AtomicReference<Lease> last = new AtomicReference<>();

    together(
        2,
        i -> {
          DistributedLock lock = keepers.get(i).lock(NAME);
          for (int round = 0; round < 8; round++) {
            Lease mine = lock.acquire(fixed(Delays.millis(60)));
            Lease before = last.getAndSet(mine);
            assertThat(before == null || !before.isValid()).isTrue();
          }
        });
  }

  @Test
  @Promise("X2")
  void whatIsHeldByLockIsTakenForEveryOtherWay() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    held.lock();
    assertTaken(client());
    held.unlock();
  }

  @Test
  @Promise("X2")
  void whatIsHeldByFairLockIsTakenForEveryOtherWay() throws InterruptedException {
    DistributedLock held = client().fairLock(NAME);
    held.lock();
    assertTaken(client());
    held.unlock();
  }

  @Test
  @Promise("X2")
  void whatIsHeldByALeaseIsTakenForEveryOtherWayEvenInItsOwnClient() throws InterruptedException {
    Lockkeeper keeper = client();
    Lease held = keeper.lock(NAME).acquire();
    assertTaken(client());
    assertTaken(keeper);
    held.release();
  }

  private void assertTaken(Lockkeeper keeper) throws InterruptedException {
    assertThat(keeper.lock(NAME).tryLock()).isFalse();
    assertThat(keeper.fairLock(NAME).tryLock()).isFalse();
    assertThat(keeper.lock(NAME).tryLock(fixed(Duration.ofSeconds(1)).withWait(NO_WAIT))).isFalse();
    assertThat(keeper.lock(NAME).tryAcquire(NO_WAIT)).isEmpty();
    assertThat(keeper.fairLock(NAME).tryAcquire(NO_WAIT)).isEmpty();
    CompletionStage<Lease> later =
        keeper.lock(NAME).acquireAsync(AcquireOptions.defaults().withWait(NO_WAIT));
    assertThatThrownBy(() -> Worker.outcome(later)).isInstanceOf(AcquireTimeoutException.class);
    assertThat(keeper.lock(NAME).isLocked()).isTrue();
  }

  @Test
  @Promise("X3")
  void namesAndNamespacesDoNotExcludeEachOther() {
    Lockkeeper keeper = client();
    Lockkeeper elsewhere = client(builder -> builder.namespace(namespace() + ":x"));
    Lockkeeper overlapping = client(builder -> builder.namespace(namespace() + ":x:a"));
    DistributedLock first = keeper.lock("a");
    DistributedLock second = elsewhere.lock("a");
    DistributedLock third = keeper.lock("x:a");
    DistributedLock fourth = overlapping.lock("a");

    first.lock();
    assertThat(second.tryLock()).isTrue();
    assertThat(third.tryLock()).isTrue();
    assertThat(fourth.tryLock()).isTrue();

    List.of(first, second, third, fourth).forEach(DistributedLock::unlock);
  }

  @Test
  @Promise("X5")
  void anAttemptThatFailsHoldsNothing() {
    DistributedLock held = client().lock(NAME);
    DistributedLock other = client().lock(NAME);
    held.lock();

    assertThat(other.tryLock()).isFalse();

    assertThat(other.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(other::unlock).isInstanceOf(IllegalMonitorStateException.class);
    held.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise("X5")
  void anAttemptWhoseAnswerWasLostIsUndone() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.loseReplies(1);

    assertThatThrownBy(lock::tryLock).isInstanceOf(LockkeeperException.class);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    awaitFree(NAME);
  }

  @Test
  @Promise("X5")
  void aWaitWhoseAnswersWereLostGetsTheLockAllTheSame() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.loseReplies(3);

    lock.lock();

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
    awaitFree(NAME);
  }
}

package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Chapter "Idle leases": a lock that is kept for a while after its release. */
public abstract class IdleTck extends TckBase {

  /** Longer than any test, so that nothing but what is tested ends it. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static DistributedLock idle(Lockkeeper keeper, Duration idle) {
    return keeper.lock(NAME, LockOptions.defaults().withRetention(idle));
  }

  private static void lockAndUnlock(DistributedLock lock) {
    lock.lock();
    lock.unlock();
  }

  @Test
  @Promise({"I1", "T1"})
  void theNextAcquisitionNeedsNoStore() {
    assumeNotifications();
    Faults faults = faults();
    DistributedLock lock = idle(client(faults), LONG);
    lockAndUnlock(lock);
    long requests = faults.requests();
    long last = 0;

    for (int i = 0; i < 500; i++) {
      lock.lock();
      assertThat(lock.token()).isGreaterThan(last);
      last = lock.token();
      lock.unlock();
    }

    assertThat(faults.requests()).isEqualTo(requests);
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
  }

  @Test
  @Promise("I1")
  void itIsNotHeldWhileItIsIdle() {
    assumeNotifications();
    DistributedLock lock = idle(client(), LONG);
    lockAndUnlock(lock);

    assertThat(lock.isLocked()).isFalse();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(inspect(NAME).holder()).as("at the store").isNotNull();
  }

  @Test
  @Promise("I2")
  void aWaiterElsewhereGetsItWithALargerToken() {
    DistributedLock lock = idle(client(), LONG);
    lock.lock();
    long token = lock.token();
    lock.unlock();

    Lease other = client().lock(NAME).acquireAsync().toCompletableFuture().join();

    assertThat(other.token()).isGreaterThan(token);
    other.release();
  }

  @Test
  @Promise("I2")
  void aWaiterInLineOfTheSameClientGetsIt() {
    Lockkeeper keeper = client();
    lockAndUnlock(idle(keeper, LONG));

    lockAndUnlock(keeper.fairLock(NAME));
    awaitFree(NAME);
  }

  @Test
  @Promise("I2")
  void twoClientsThatKeepItIdleTakeTurns() {
    DistributedLock first = idle(client(), LONG);
    DistributedLock second = idle(client(), LONG);

    for (int i = 0; i < 20; i++) {
      lockAndUnlock(first);
      lockAndUnlock(second);
    }
  }

  @Test
  @Promise("I2")
  void underLoadNobodyIsInsideTogether() {
    int[] inside = new int[1];
    int[] total = new int[1];
    DistributedLock[] locks = {idle(client(), LONG), idle(client(), LONG)};

    together(
        8,
        i -> {
          for (int round = 0; round < 200; round++) {
            DistributedLock lock = locks[i % 2];
            lock.lock();
            try {
              assertThat(++inside[0]).isEqualTo(1);
              total[0]++;
              inside[0]--;
            } finally {
              lock.unlock();
            }
          }
        });

    assertThat(total[0]).isEqualTo(1_600);
  }

  @Test
  @Promise("I3")
  void aCrashedClientCostsTheIdleTimeAndNotTheLease() {
    Faults faults = faults();
    lockAndUnlock(idle(client(faults), Delays.millis(1_000)));
    faults.kill();

    Future<Boolean> other = worker().begin(() -> lockAndUnlock(client().lock(NAME)));

    Worker.get(other); // the client's lease of 30 seconds is longer than patience allows
  }

  @Test
  @Promise("I4")
  void itEndsByItself() {
    lockAndUnlock(idle(client(), Delays.millis(300)));

    awaitFree(NAME);
  }

  @Test
  @Promise("I4")
  void aHolderKeepsItLongerThanItsIdleTime() {
    DistributedLock lock = idle(client(), Delays.millis(800));
    lock.lock();

    pass(Delays.millis(2_000));

    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
    awaitFree(NAME);
  }
}

package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter "Tokens". */
public abstract class TokensTck extends TckBase {

  /** The tokens in the order in which the lock was held; only the lock guards it. */
  private final List<Long> tokens = new ArrayList<>();

  @Test
  @Promise("T1")
  void tokensGrowFromHolderToHolderThroughTheStoreAndLocally() {
    int rounds = Rounds.of(100);
    List<Lockkeeper> keepers = List.of(client(), client());

    together(
        8,
        i -> {
          Lockkeeper keeper = keepers.get(i % 2);
          DistributedLock lock = i < 4 ? keeper.lock(NAME) : keeper.fairLock(NAME);
          for (int round = 0; round < rounds; round++) {
            lock.lock();
            tokens.add(lock.token());
            lock.unlock();
          }
        });

    assertThat(tokens).hasSize(8 * rounds).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Promise("T1")
  void tokensGrowFromLeaseToLease() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    for (int i = 0; i < Rounds.of(3_000); i++) {
      try (Lease lease = lock.acquire()) {
        tokens.add(lease.token());
      }
    }

    assertThat(tokens).isSorted().doesNotHaveDuplicates();
    assertThat(tokens.get(0)).isPositive();
  }

  @Test
  @Promise("T1")
  void tokensGrowOverManyMoreLocalPassesThanOneGrantHasTokensFor() {
    DistributedLock lock = client().lock(NAME);

    together(
        4,
        i -> {
          for (int round = 0; round < 2_000; round++) {
            lock.lock();
            tokens.add(lock.token());
            lock.unlock();
          }
        });

    assertThat(tokens).hasSize(8_000).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Promise("T2")
  void reEntryKeepsTheToken() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock();
    long token = lock.token();

    lock.lock();
    assertThat(lock.token()).isEqualTo(token);
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.token()).isEqualTo(token);
    lock.lockInterruptibly();
    lock.lock(fixed(Duration.ofSeconds(1)));
    assertThat(lock.token()).isEqualTo(token);
    assertThat(lock.heldLease().token()).isEqualTo(token);

    for (int i = 0; i < 5; i++) {
      assertThat(lock.token()).isEqualTo(token);
      lock.unlock();
    }
  }

  @Test
  @Promise("T3")
  void tokensGrowOverExpiry() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    Lease expired = lock.acquire(fixed(Delays.millis(50)));

    Lease next = client().lock(NAME).acquire();

    assertThat(expired.isValid()).isFalse();
    assertThat(next.token()).isGreaterThan(expired.token());
    next.release();
  }

  @Test
  @Promise({"T3", "R7"})
  void tokensGrowOverAForcedRelease() {
    DistributedLock forced = client().lock(NAME);
    DistributedLock next = client().lock(NAME);
    forced.lock();
    long token = forced.token();

    assertThat(next.forceUnlock()).isTrue();
    next.lock();

    assertThat(next.token()).isGreaterThan(token);
    next.unlock();
  }

  @Test
  @Promise({"T3", "W5"})
  void tokensGrowOverTheCrashOfAHolderThatPassedLocally() {
    Faults faults = faults();
    Lockkeeper crashing = client(faults, builder -> builder.lease(Delays.millis(500)));
    DistributedLock lock = crashing.lock(NAME);
    for (int i = 0; i < 20; i++) {
      lock.lock();
      tokens.add(lock.token());
      lock.unlock();
    }
    lock.lock();
    tokens.add(lock.token());
    faults.kill();

    DistributedLock next = client().lock(NAME);
    next.lock();
    tokens.add(next.token());
    next.unlock();

    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("T4")
  void tokensGrowOverTheLossOfTheStoresMemory() {
    DistributedLock before = client().lock(NAME);
    before.lock();
    long token = before.token();
    loseEverything();

    DistributedLock after = client().lock(NAME);
    after.lock();

    assertThat(after.token()).isGreaterThan(token);
    after.unlock();
  }

  @Test
  @Promise("T5")
  void onlyTheHolderIsToldTheToken() {
    DistributedLock lock = client().lock(NAME);
    assertThatThrownBy(lock::token).isInstanceOf(IllegalMonitorStateException.class);

    lock.lock();
    assertThatThrownBy(() -> worker().call(lock::token))
        .isInstanceOf(IllegalMonitorStateException.class);
    lock.unlock();

    assertThatThrownBy(lock::token).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::heldLease).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  @Promise("T5")
  void whoHasLostTheLockIsToldSoInsteadOfAToken() {
    DistributedLock lock = client().lock(NAME);
    lock.lock(fixed(BRIEF));
    Lease lease = lock.heldLease();
    eventually().until(() -> !lease.isValid());

    assertThatThrownBy(lock::token).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("T6")
  void aGuardedSystemThatComparesTokensTakesNoLateWrite() {
    Guarded guarded = new Guarded();
    DistributedLock frozen = client().lock(NAME);
    frozen.lock(fixed(BRIEF));
    long lateToken = frozen.token();
    assertThat(guarded.write("early", lateToken)).isTrue();

    DistributedLock next = client().lock(NAME);
    next.lock();
    assertThat(guarded.write("next", next.token())).isTrue();

    assertThat(guarded.write("late", lateToken)).isFalse();
    assertThat(guarded.value).isEqualTo("next");
    next.unlock();
    assertThatThrownBy(frozen::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("T6")
  void aTokenAskedForOnlyAfterTheReleaseIsTheLeasesOwn() throws InterruptedException {
    Lockkeeper keeper = client();
    for (DistributedLock lock :
        List.of(keeper.lock(NAME), keeper.readWriteLock("rw").writeLock())) {
      Lease former = lock.acquire();
      former.release();
      Lease later = lock.acquire();
      assertThat(later.token()).isGreaterThan(former.token());
      later.release();
    }
  }

  /** A system that refuses tokens smaller than the largest it has seen. */
  private static final class Guarded {

    private long largest;
    private String value = "";

    synchronized boolean write(String written, long token) {
      if (token < largest) {
        return false;
      }
      largest = token;
      value = written;
      return true;
    }
  }
}

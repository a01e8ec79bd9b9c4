package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** What Spring Integration expects of a registry, and what went wrong with others. */
@SuppressWarnings("LockNotBeforeTry") // what a failed test leaves locked ends with its client
class LockkeeperLockRegistryTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(100);

  private final String url = "memory:" + UUID.randomUUID();
  private final Lockkeeper keeper = Lockkeeper.connect(url);
  private final Lockkeeper others = Lockkeeper.connect(url);
  private final LockkeeperLockRegistry registry = new LockkeeperLockRegistry(keeper, "orders");
  private final LockkeeperLockRegistry elsewhere = new LockkeeperLockRegistry(others, "orders");

  @AfterEach
  void close() {
    keeper.close();
    others.close();
  }

  private static boolean isFree(Lock lock) {
    return CompletableFuture.supplyAsync(
            () -> {
              boolean got = lock.tryLock();
              if (got) {
                lock.unlock();
              }
              return got;
            })
        .join();
  }

  @Test
  void oneKeyIsOneLockOfAllProcessesAndReentrant() throws InterruptedException {
    Lock lock = registry.obtain("a");
    lock.lock();
    assertThat(registry.obtain("a").tryLock(1, TimeUnit.SECONDS)).isTrue();
    registry.obtain("a").unlock();

    assertThat(isFree(elsewhere.obtain("a"))).isFalse();
    assertThat(isFree(elsewhere.obtain("b"))).isTrue();
    assertThat(isFree(new LockkeeperLockRegistry(others, "invoices").obtain("a"))).isTrue();

    lock.unlock();
    await().until(() -> isFree(elsewhere.obtain("a")));
  }

  @Test
  void theLockIsOneThatOtherCodeCanUse() {
    RegistryLock lock = registry.obtain(42);
    lock.lock();

    assertThat(lock.unwrap().token()).isPositive();
    assertThat(others.lock("orders:42").isLocked()).isTrue();
    lock.unlock();
  }

  @Test
  void workIsDoneUnderTheLock() throws InterruptedException, TimeoutException {
    registry.executeLocked("a", () -> assertThat(isFree(elsewhere.obtain("a"))).isFalse());
    assertThat(isFree(elsewhere.obtain("a"))).isTrue();
    CompletableFuture.runAsync(elsewhere.obtain("b")::lock).join();

    assertThatThrownBy(() -> registry.executeLocked("b", SHORT, () -> {}))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void whoDoesNotHoldALockIsTold() {
    assertThatThrownBy(() -> registry.obtain("a").unlock())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders:a");
    assertThatThrownBy(() -> registry.renewLock("a")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoHasLostALockIsTold() {
    Lock lock = registry.obtain("a");
    lock.lock();
    Lease lease = registry.obtain("a").unwrap().heldLease();
    assertThat(others.lock("orders:a").forceUnlock()).isTrue();
    await().until(() -> !lease.isValid());

    assertThatThrownBy(() -> registry.renewLock("a", LONG))
        .isInstanceOf(ConcurrentModificationException.class);
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("orders:a");
  }

  @Test
  void aTimeToLiveEndsALockAndOnlyThat() throws InterruptedException {
    RegistryLock brief = registry.obtain("brief");
    brief.lock(SHORT);
    registry.obtain("lasting").lock();
    assertThat(registry.obtain("tried").tryLock(Duration.ZERO, LONG)).isTrue();

    await().until(() -> isFree(elsewhere.obtain("brief")));

    assertThat(isFree(elsewhere.obtain("lasting"))).isFalse();
    assertThat(isFree(elsewhere.obtain("tried"))).isFalse();
    assertThatThrownBy(brief::unlock).isInstanceOf(ConcurrentModificationException.class);
  }

  @Test
  void aRenewalMovesTheEnd() {
    RegistryLock lock = registry.obtain("a");
    lock.lock(Duration.ofSeconds(5));
    registry.renewLock("a", LONG);
    assertThat(lock.unwrap().heldLease().remaining()).isGreaterThan(Duration.ofSeconds(5));
    registry.renewLock("a");
    assertThat(lock.unwrap().heldLease().remaining()).isGreaterThan(LONG);
    lock.unlock();
  }

  @Test
  void whatNobodyUsesIsNotThere() {
    for (int i = 0; i < 100_000; i++) {
      registry.obtain("key " + i);
    }
    registry.obtain("key 1").lock();
    registry.expireUnusedOlderThan(0);

    assertThat(isFree(elsewhere.obtain("key 1"))).as("a lock that is held is kept").isFalse();
    assertThat(keeper.inspect()).hasSize(1);
    registry.obtain("key 1").unlock();
  }

  @Test
  void aFairRegistryGivesFairLocks() {
    LockkeeperLockRegistry fair = LockkeeperLockRegistry.fair(keeper, "orders");
    fair.obtain("a").lock();

    assertThat(isFree(elsewhere.obtain("a"))).as("it is the same lock").isFalse();
    assertThat(fair.obtain("a")).hasToString(keeper.fairLock("orders:a").toString());
    fair.obtain("a").unlock();
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(() -> registry.obtain("a").newCondition())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anotherCandidateLeadsWhenTheLeaderStops() {
    LockRegistryLeaderInitiator one = initiator(registry);
    LockRegistryLeaderInitiator two = initiator(elsewhere);
    try {
      one.start();
      await().until(() -> one.getContext().isLeader());
      two.start();

      one.stop();

      await().until(() -> two.getContext().isLeader());
      assertThat(one.getContext().isLeader()).isFalse();
    } finally {
      one.stop();
      two.stop();
    }
  }

  @Test
  void aLeaderWhoseLockIsTakenAwayNoticesAndLeadsAgain() {
    LockRegistryLeaderInitiator one = initiator(registry);
    try {
      one.start();
      await().until(() -> one.getContext().isLeader());

      assertThat(others.lock("orders:role").forceUnlock()).isTrue();

      await().until(() -> others.lock("orders:role").isLocked() && one.getContext().isLeader());
    } finally {
      one.stop();
    }
  }

  private static LockRegistryLeaderInitiator initiator(LockRegistry<?> locks) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(locks, new DefaultCandidate("candidate", "role"));
    initiator.setHeartBeatMillis(50);
    initiator.setBusyWaitMillis(20);
    initiator.setApplicationEventPublisher(event -> {});
    return initiator;
  }

  @Test
  void whatTheGuideShowsIsCompiled() throws IOException {
    assertThat(Files.readString(Path.of("../docs/guide/spring-integration.md")))
        .contains("return new LockkeeperLockRegistry(keeper, \"orders\");");
  }
}

package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What can be done while a cluster moves a slot from one node to another, which is open as long as
 * that takes, or for good if it is broken off.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class SlotMoveTest {

  private static final String RECORD = "lockkeeper:{r}";
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** How many renewals last longer than a lease. */
  private static final int MORE_THAN_A_LEASE = 4;

  private final AtomicInteger renewals = new AtomicInteger();

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  private Lockkeeper keeper(String url) {
    return Lockkeeper.builder()
        .lease(LEASE)
        .listener(
            event -> {
              if (event instanceof LockEvent.Renewed) {
                renewals.incrementAndGet();
              }
            })
        .connect(url);
  }

  private static RedisServer otherThan(RedisCluster cluster, String key) {
    return cluster.masters().stream()
        .filter(node -> node != cluster.masterOf(key))
        .findFirst()
        .orElseThrow();
  }

  private void awaitALeaseOfRenewals() {
    int before = renewals.get();
    await().atMost(Delays.patience()).until(() -> renewals.get() >= before + MORE_THAN_A_LEASE);
  }

  private static CompletableFuture<Lease> asked(Lockkeeper keeper) {
    return keeper.lock("r").acquireAsync().toCompletableFuture();
  }

  private static Lease acquired(Lockkeeper keeper) {
    return get(asked(keeper));
  }

  private static PermitLease acquired(DistributedSemaphore semaphore) {
    return get(semaphore.acquireAsync().toCompletableFuture());
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aHeldLockOutlastsTheMoveOfItsSlot(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary)) {
      outlastsTheMove(cluster, cluster.url());
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aHeldLockOutlastsTheMoveOfItsSlotThoughReplicasConfirm(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary)) {
      outlastsTheMove(cluster, cluster.url() + "?replicas=1");
    }
  }

  private void outlastsTheMove(RedisCluster cluster, String url) {
    RedisServer target = otherThan(cluster, RECORD);
    try (Lockkeeper holder = keeper(url);
        Lockkeeper other = keeper(url)) {
      Lease lease = acquired(holder);
      DistributedLock wanted = other.lock("r");

      cluster.beginMove(RECORD, target);
      awaitALeaseOfRenewals();
      assertThat(lease.isValid()).isTrue();
      assertThat(wanted.tryLock()).isFalse();

      cluster.moveKeys(target, RECORD);
      awaitALeaseOfRenewals();
      assertThat(lease.isValid()).isTrue();
      assertThat(wanted.tryLock()).isFalse();

      cluster.endMove(RECORD, target);
      awaitALeaseOfRenewals();
      assertThat(lease.isValid()).isTrue();
      assertThat(wanted.tryLock()).isFalse();

      lease.release();
      Lease next = acquired(other);
      assertThat(next.token()).isGreaterThan(lease.token());
      next.release();
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void locksAreAcquiredAndHandedOverWhileTheirSlotIsOpen(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        Lockkeeper one = keeper(cluster.url());
        Lockkeeper two = keeper(cluster.url())) {
      RedisServer target = otherThan(cluster, RECORD);
      Lease held = acquired(one);
      cluster.beginMove(RECORD, target);

      held = handOver(held, two);
      held = handOver(held, one);
      cluster.moveKeys(target, RECORD);
      held = handOver(held, two);
      held = handOver(held, one);
      held.release();
      await().atMost(Delays.patience()).until(() -> !two.lock("r").isLocked());
      held = acquired(two);
      cluster.endMove(RECORD, target);
      held = handOver(held, one);
      held.release();
    }
  }

  /** Has another client wait for a lock, and then get it. */
  private static Lease handOver(Lease held, Lockkeeper to) {
    CompletableFuture<Lease> next = asked(to);
    assertThat(to.lock("r").tryLock()).isFalse();
    held.release();
    Lease got = get(next);
    assertThat(got.token()).isGreaterThan(held.token());
    return got;
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aLockThatNobodyHasHeldIsAcquiredWhileItsSlotIsOpen(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        Lockkeeper keeper = keeper(cluster.url())) {
      RedisServer target = otherThan(cluster, RECORD);
      cluster.beginMove(RECORD, target);

      Lease lease = acquired(keeper);
      awaitALeaseOfRenewals();
      assertThat(lease.isValid()).isTrue();
      lease.release();
      await().atMost(Delays.patience()).until(() -> !keeper.lock("r").isLocked());
    }
  }

  /** The node that is asked first sends the claim on, and its replicas know nothing of it. */
  @ParameterizedTest
  @MethodSource("binaries")
  void aGrantOnTheWayCountsOnlyWithTheReplicasOfItsTarget(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.startWithReplicas(binary);
        StoreProbe client =
            Probes.open(cluster.url() + "?replicas=1&replicaTimeout=1500ms&timeout=10s")) {
      RedisServer target = otherThan(cluster, RECORD);
      cluster.beginMove(RECORD, target);
      cluster.partnerOf(target).freeze();

      assertThat(client.claim(ResourceId.lock("r"), 1))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.NOT_REPLICATED));

      cluster.partnerOf(target).thaw();
      await()
          .atMost(Delays.patience())
          .until(() -> client.claim(ResourceId.lock("r"), 2) instanceof Outcome.Answered<?>);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void aQueueMovesWithItsLock(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        Lockkeeper holder = keeper(cluster.url());
        Lockkeeper first = keeper(cluster.url());
        Lockkeeper second = keeper(cluster.url())) {
      RedisServer target = otherThan(cluster, RECORD);
      Lease held = acquired(holder);
      CompletableFuture<Lease> next = asked(first);
      awaitQueue(cluster, 1);
      CompletableFuture<Lease> last = asked(second);
      awaitQueue(cluster, 2);

      cluster.beginMove(RECORD, target);
      awaitALeaseOfRenewals();
      assertThat(held.isValid()).isTrue();
      held.release();
      Lease got = get(next);
      cluster.moveKeys(target, RECORD, RECORD + ":q", RECORD + ":w");
      awaitALeaseOfRenewals();
      assertThat(got.isValid()).isTrue();
      got.release();
      get(last).release();
    }
  }

  private static void awaitQueue(RedisCluster cluster, long claims) {
    await()
        .atMost(Delays.patience())
        .until(
            () ->
                Long.valueOf(claims)
                    .equals(cluster.masterOf(RECORD).command("ZCARD", RECORD + ":q")));
  }

  /** Nobody can come to it before the rest has moved, and nobody passes those who wait. */
  @ParameterizedTest
  @MethodSource("binaries")
  void aLockWhoseQueueIsStillElsewhereIsHeldAndGivenBack(RedisBinary binary) {
    try (RedisCluster cluster = RedisCluster.start(binary);
        Lockkeeper holder = keeper(cluster.url());
        Lockkeeper waiter = keeper(cluster.url())) {
      RedisServer target = otherThan(cluster, RECORD);
      Lease held = acquired(holder);
      CompletableFuture<Lease> next = asked(waiter);
      awaitQueue(cluster, 1);

      cluster.beginMove(RECORD, target);
      cluster.moveKeys(target, RECORD);
      awaitALeaseOfRenewals();
      assertThat(held.isValid()).isTrue();
      held.release();
      CompletableFuture<Lease> late = asked(holder);
      assertThat(next).isNotDone();
      assertThat(late).isNotDone();
      cluster.endMove(RECORD, target);

      Lease got = get(next);
      got.release();
      Lease last = get(late);
      assertThat(last.token()).isGreaterThan(got.token());
      last.release();
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void permitsAreHeldAndGivenBackWhileTheirSlotIsMoved(RedisBinary binary) {
    String record = "lockkeeper:{r}:sem";
    try (RedisCluster cluster = RedisCluster.start(binary);
        Lockkeeper keeper = keeper(cluster.url())) {
      RedisServer target = otherThan(cluster, record);
      DistributedSemaphore semaphore = keeper.semaphore("r", 3);
      PermitLease first = acquired(semaphore);
      PermitLease second = acquired(semaphore);
      PermitLease third = acquired(semaphore);

      cluster.beginMove(record, target);
      awaitALeaseOfRenewals();
      first.release();
      awaitGrants(cluster.masterOf(record), record, 2);
      cluster.moveKeys(target, record, record + ":e");
      awaitALeaseOfRenewals();
      assertThat(second.isValid()).isTrue();
      second.release();
      awaitALeaseOfRenewals();
      cluster.endMove(record, target);

      awaitGrants(target, record, 1);
      acquired(semaphore).release();
      assertThat(third.isValid()).isTrue();
      third.release();
    }
  }

  private static void awaitGrants(RedisServer node, String record, long grants) {
    await()
        .atMost(Delays.patience())
        .until(() -> Long.valueOf(grants).equals(node.command("ZCARD", record + ":e")));
  }
}

package io.lockkeeper.memory;

import static io.lockkeeper.testkit.tck.Delays.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.Quorum;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumOptions;
import io.lockkeeper.QuorumToken;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promises about quorums, on five memory servers. */
@SuppressWarnings("LockNotBeforeTry") // what is between is under test
@Tag("full")
class QuorumTest {

  private static final String NAME = "stock:1001";
  private static final int NODES = 5;
  private static final Duration LEASE = Delays.millis(1_500);
  private static final QuorumOptions OPTIONS =
      QuorumOptions.defaults().withNodeTimeout(Delays.millis(100));

  /** How far each server's clock is ahead. */
  private final List<AtomicLong> ahead = new ArrayList<>();

  private final List<MemoryServer> servers = new ArrayList<>();
  private final List<Lockkeeper> clients = new ArrayList<>();
  private final AtomicInteger losses = new AtomicInteger();

  QuorumTest() {
    for (int i = 0; i < NODES; i++) {
      AtomicLong offset = new AtomicLong();
      ahead.add(offset);
      servers.add(new MemoryServer(() -> System.nanoTime() + offset.get()));
    }
  }

  @AfterEach
  void nothingIsLeft() {
    servers.forEach(server -> server.setReachable(true));
    clients.forEach(Lockkeeper::close);
    for (MemoryServer server : servers) {
      eventually().until(server::isQuiet);
    }
  }

  /** Returns the quorum as another process sees it. */
  private Quorum quorum() {
    return quorum(Map.of());
  }

  /** As above, with executors for the clients of some nodes. */
  private Quorum quorum(Map<Integer, Executor> executors) {
    return quorum(executors, LEASE, Delays.millis(600));
  }

  private Quorum quorum(Map<Integer, Executor> executors, Duration lease, Duration storeTimeout) {
    List<Lockkeeper> keepers = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      LockkeeperBuilder client =
          Lockkeeper.builder().lease(lease).storeTimeout(storeTimeout).listener(this::count);
      Executor executor = executors.get(node);
      keepers.add(
          (executor == null ? client : client.executor(executor))
              .connect(servers.get(node).factory()));
    }
    clients.addAll(keepers);
    return Lockkeeper.quorum(keepers);
  }

  private void count(LockEvent event) {
    if (event instanceof LockEvent.Lost) {
      losses.incrementAndGet();
    }
  }

  private QuorumLock lock() {
    return quorum().lock(NAME, OPTIONS);
  }

  private void reach(boolean reachable, int... nodes) {
    for (int node : nodes) {
      servers.get(node).setReachable(reachable);
    }
  }

  private boolean isFreeEverywhere() {
    return servers.stream().allMatch(MemoryServer::isQuiet);
  }

  private static QuorumLease got(CompletableFuture<QuorumLease> later) {
    eventually().until(later::isDone);
    return later.join();
  }

  // ------------------------------------------------------------- Q1, Q2

  @Test
  void itIsHeldByOneAndFreeAtAllNodesAfterwards() throws InterruptedException {
    QuorumLock one = lock();
    QuorumLock two = lock();
    try (QuorumLease lease = one.acquire()) {
      eventually().until(() -> lease.nodes() == NODES);
      assertThat(lease.isValid()).isTrue();
      assertThat(lease.name()).isEqualTo(NAME);
      assertThat(lease.remaining()).isBetween(Duration.ofNanos(1), LEASE);
      assertThat(two.tryLock()).isFalse();
      assertThat(two.tryAcquire(Duration.ZERO)).isEmpty();
      assertThat(two.tryAcquire(Delays.millis(150))).isEmpty();
      assertThatThrownBy(() -> two.acquire(AcquireOptions.defaults().withWait(Duration.ZERO)))
          .isInstanceOf(AcquireTimeoutException.class);
    }
    eventually().until(this::isFreeEverywhere);
    two.acquire().release();
  }

  @Test
  void whoWaitsGetsItAfterARelease() throws InterruptedException {
    QuorumLease held = lock().acquire();
    CompletableFuture<QuorumLease> later = lock().acquireAsync().toCompletableFuture();
    CompletableFuture<QuorumLease> last = lock().acquireAsync().toCompletableFuture();
    assertThat(later).isNotDone();
    held.release();
    eventually().until(() -> later.isDone() || last.isDone());
    CompletableFuture<QuorumLease> first = later.isDone() ? later : last;
    CompletableFuture<QuorumLease> second = later.isDone() ? last : later;
    got(first).release();
    got(second).release();
  }

  @Test
  void twoOfFiveMayBeAway() throws InterruptedException {
    QuorumLock lock = lock();
    QuorumLock other = lock();
    reach(false, 1, 3);
    try (QuorumLease lease = lock.acquire()) {
      assertThat(lease.nodes()).isEqualTo(3);
      assertThat(lease.token().tokens()).element(1).isEqualTo(0L);
      assertThat(other.tryAcquire(Duration.ZERO)).isEmpty();
    }
  }

  @Test
  void withThreeOfFiveAwayItIsRefusedInTime() {
    QuorumLock lock = lock();
    reach(false, 0, 1, 2);
    long start = System.nanoTime();
    assertThatThrownBy(() -> lock.tryAcquire(Duration.ZERO))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> lock.tryLock(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Delays.millis(8_000));
    eventually().until(() -> servers.get(3).isQuiet() && servers.get(4).isQuiet());
  }

  @Test
  void aWaitOutlastsAShortLossOfTheMajority() {
    QuorumLock lock = lock();
    reach(false, 0, 1, 2);
    CompletableFuture<QuorumLease> later = lock.acquireAsync().toCompletableFuture();
    reach(true, 1);
    got(later).release();
  }

  @Test
  void noTwoLeasesAreEverValidAtOnceAndTokensKeepLateWritesOut() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Set<QuorumLease> valid = ConcurrentHashMap.newKeySet();
    AtomicReference<QuorumToken> seen = new AtomicReference<>(QuorumToken.none());
    AtomicInteger rounds = new AtomicInteger();
    AtomicInteger faults = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + Delays.millis(6_000).toNanos();
    for (int i = 0; i < 4; i++) {
      QuorumLock lock = lock();
      threads.add(
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  work(lock, valid, seen, rounds, faults);
                }
              }));
    }
    threads.forEach(Thread::start);
    Random random = new Random(seed);
    while (System.nanoTime() < end) {
      int node = random.nextInt(NODES);
      int other = random.nextInt(NODES);
      reach(false, node, other);
      ahead.get(random.nextInt(NODES)).addAndGet(random.nextInt(1_000_000));
      LockSupport.parkNanos(random.nextInt(50_000_000));
      reach(true, node, other);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(faults).as("seed " + seed).hasValue(0);
    assertThat(rounds.get()).isGreaterThan(20);
  }

  private static void work(
      QuorumLock lock,
      Set<QuorumLease> valid,
      AtomicReference<QuorumToken> seen,
      AtomicInteger rounds,
      AtomicInteger faults) {
    try (QuorumLease lease = lock.acquire()) {
      valid.add(lease);
      if (valid.stream().anyMatch(o -> o != lease && o.isValid() && lease.isValid())) {
        faults.incrementAndGet();
      }
      QuorumToken token = lease.token();
      QuorumToken before = seen.getAndUpdate(all -> all.merge(token));
      if (lease.isValid() && token.isOlderThan(before)) {
        faults.incrementAndGet();
      }
      valid.remove(lease);
      rounds.incrementAndGet();
    } catch (LeaseLostException | StoreUnavailableException expected) {
      valid.removeIf(lease -> !lease.isValid());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ------------------------------------------------------------- Q3, Q4

  @Test
  void theLossOfTheMajorityIsToldAndTheRestReleased() throws InterruptedException {
    QuorumLease lease = lock().acquire();
    eventually().until(() -> lease.nodes() == NODES);
    AtomicInteger told = new AtomicInteger();
    lease.onLost(loss -> told.incrementAndGet());
    reach(false, 0, 1);
    eventually().until(() -> lease.nodes() == 3);
    assertThat(lease.isValid()).isTrue();
    reach(false, 2);

    LeaseLost loss = lease.lost().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();

    assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.remaining()).isZero();
    eventually().until(() -> servers.get(3).isQuiet() && servers.get(4).isQuiet());
    eventually().until(() -> told.get() == 1);
    assertThatThrownBy(lease::token).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    lease.release();
  }

  @Test
  void aLeaseOutlivesNodesThatComeAndGo() throws InterruptedException {
    QuorumLock lock = lock();
    lock.lock();
    QuorumLease lease = lock.heldLease();
    QuorumToken first = lock.token();
    for (int node = 0; node < 3; node++) {
      eventually().until(() -> lease.nodes() == NODES);
      reach(false, node);
      eventually().until(() -> lease.nodes() == NODES - 1);
      reach(true, node);
    }
    eventually().until(() -> lease.nodes() == NODES);
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    assertThat(lock.token().isOlderThan(first)).isFalse();
    assertThat(first.isOlderThan(lock.token())).isTrue();
    lock.unlock();
    eventually().until(this::isFreeEverywhere);
  }

  @Test
  void aNodeThatIsLostBeforeThereIsAMajorityIsAskedAgain() throws InterruptedException {
    QuorumLock lock =
        quorum().lock(NAME, QuorumOptions.defaults().withNodeTimeout(Delays.millis(20_000)));
    List<Lease> taken = new ArrayList<>();
    for (int node = 1; node <= 3; node++) {
      taken.add(expireAndTake(node));
    }
    Lockkeeper other = clients.get(clients.size() - 1);
    CompletableFuture<QuorumLease> later = lock.acquireAsync().toCompletableFuture();
    eventually().until(() -> other.admin().inspect(ResourceKind.LOCK, NAME).waiters().size() == 1);
    eventually().until(() -> !servers.get(4).isQuiet());
    expireAndTake(4).release();
    eventually().until(() -> losses.get() == 1);

    taken.forEach(Lease::release);

    QuorumLease lease = got(later);
    eventually().until(() -> lease.nodes() == NODES);
    lease.release();
  }

  /** News of losses is late, since the executor of those nodes' clients is busy. */
  @Test
  void aNodeThatComesBackDoesNotReviveALeaseWithoutMajority() throws InterruptedException {
    CountDownLatch isFree = new CountDownLatch(1);
    AtomicBoolean isBusy = new AtomicBoolean();
    Executor executor =
        task -> {
          Thread thread = new Thread(() -> runWhen(isBusy.get() ? isFree : null, task));
          thread.setDaemon(true);
          thread.start();
        };
    QuorumLease lease = quorum(Map.of(1, executor, 2, executor)).lock(NAME, OPTIONS).acquire();
    eventually().until(() -> lease.nodes() == NODES);
    Lease taken = expireAndTake(4);
    eventually().until(() -> lease.nodes() == 4);
    isBusy.set(true);
    Lease first = expireAndTake(1);
    Lease second = expireAndTake(2);
    eventually().until(() -> lease.nodes() == 2); // and nobody has been told
    taken.release();

    eventually().until(() -> servers.get(0).isQuiet() && servers.get(3).isQuiet());
    assertThat(lease.isValid()).isFalse();
    assertThat(lease.remaining()).isEqualTo(Duration.ZERO);
    isFree.countDown();
    first.release();
    second.release();
  }

  private static void runWhen(CountDownLatch latch, Runnable task) {
    try {
      if (latch != null) {
        latch.await();
      }
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets what is held at a node expire, and takes the lock there. */
  private Lease expireAndTake(int node) throws InterruptedException {
    Lockkeeper other = Lockkeeper.builder().connect(servers.get(node).factory());
    clients.add(other);
    ahead.get(node).addAndGet(2 * LEASE.toNanos());
    return other.lock(NAME).acquire();
  }

  // ------------------------------------------------------------- Q5

  @Test
  void theLaterHolderHasTheNewerTokenThoughNoSingleNumberGrows() throws InterruptedException {
    QuorumLock one = lock();
    QuorumLock two = lock();
    ahead.get(0).set(Duration.ofHours(1).toNanos());
    reach(false, 3, 4);
    QuorumToken first;
    try (QuorumLease lease = one.acquire()) {
      first = lease.token();
    }
    eventually().until(() -> servers.get(0).isQuiet() && servers.get(2).isQuiet());
    reach(true, 3, 4);
    reach(false, 0, 1);
    QuorumToken second;
    try (QuorumLease lease = two.acquire()) {
      second = lease.token();
    }

    assertThat(second.tokens().stream().max(Long::compare))
        .as("the trap: the largest token is smaller")
        .hasValueSatisfying(
            largest ->
                assertThat(largest)
                    .isLessThan(first.tokens().stream().max(Long::compare).orElseThrow()));
    assertThat(first.isOlderThan(second)).isTrue();
    assertThat(second.isOlderThan(first)).isFalse();
    assertThat(second.isOlderThan(QuorumToken.none().merge(first))).isFalse();
  }

  @Test
  void aTokenCanBeStored() {
    QuorumToken token = QuorumToken.of(List.of(17L, 0L, 12L));
    assertThat(token).hasToString("17,0,12").isEqualTo(QuorumToken.parse("17,0,12"));
    assertThat(QuorumToken.parse("")).isEqualTo(QuorumToken.none());
    assertThat(QuorumToken.none().isOlderThan(token)).isFalse();
    assertThat(token.isOlderThan(QuorumToken.of(List.of(1L, 99L, 13L)))).isTrue();
    assertThat(token.isOlderThan(QuorumToken.of(List.of(1L, 99L)))).isFalse();
    assertThatThrownBy(() -> QuorumToken.parse("a")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> QuorumToken.of(List.of(-1L)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ------------------------------------------------------------- Q6 to Q8

  @Test
  void aWaitThatEndsLeavesNothing() throws Exception {
    QuorumLease held = lock().acquire();
    QuorumLock lock = lock();
    CompletableFuture<QuorumLease> cancelled = lock.acquireAsync().toCompletableFuture();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                lock.lockInterruptibly();
              } catch (InterruptedException e) {
                thrown.set(e);
              }
            });
    waiting.start();
    cancelled.cancel(false);
    waiting.interrupt();
    waiting.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    held.release();
    eventually().until(this::isFreeEverywhere);
  }

  @Test
  void cancellingAtTheMomentOfTheGrantLeavesNothing() {
    QuorumLock lock = lock();
    for (int i = 0; i < 50; i++) {
      CompletableFuture<QuorumLease> later = lock.acquireAsync().toCompletableFuture();
      later.cancel(false);
      if (!later.isCancelled()) {
        later.join().release();
      }
      eventually().until(this::isFreeEverywhere);
    }
  }

  @Test
  void aThreadReEntersByQuorumAndName() throws InterruptedException {
    Quorum quorum = quorum();
    QuorumLock lock = quorum.lock(NAME);
    lock.lock();
    lock.lockInterruptibly();
    assertThat(quorum.lock(NAME).tryLock()).isTrue();
    assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
    assertThat(
            lock.tryLock(
                AcquireOptions.defaults()
                    .withFixedLease(Duration.ofSeconds(1))
                    .withWait(Duration.ZERO)))
        .isTrue();
    assertThat(lock.getHoldCount()).isEqualTo(5);
    assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
    for (int i = 0; i < 5; i++) {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      lock.unlock();
    }
    eventually().until(this::isFreeEverywhere);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::token).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.getHoldCount()).isZero();
  }

  @Test
  void aDeadThreadsHoldEnds() throws InterruptedException {
    QuorumLock lock = lock();
    Thread dying = new Thread(lock::lock);
    dying.start();
    dying.join();
    eventually().until(this::isFreeEverywhere);
  }

  @Test
  void aFixedTimeEndsByItself() {
    QuorumLock lock = lock();
    lock.lock(AcquireOptions.defaults().withFixedLease(Delays.millis(200)));
    QuorumLease lease = lock.heldLease();
    LeaseLost loss = lease.lost().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(loss.reason()).isEqualTo(LeaseLost.Reason.FIXED_LEASE_ENDED);
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    lock.lock();
    lock.unlock();
  }

  @Test
  void itIsRenewed() throws Exception {
    QuorumLock lock = lock();
    lock.lock();
    QuorumLease lease = lock.heldLease();
    long end = System.nanoTime() + LEASE.multipliedBy(2).toNanos();
    eventually().until(() -> System.nanoTime() > end);
    assertThat(lease.isValid()).isTrue();
    assertThat(lease.nodes()).isEqualTo(NODES);
    lock.unlock();
  }

  @Test
  void closedClientsAreNodesThatAreAway() throws InterruptedException {
    Quorum quorum = quorum();
    QuorumLock lock = quorum.lock(NAME, OPTIONS);
    quorum.keepers().get(0).close();
    quorum.keepers().get(1).close();
    lock.acquire().release();
    QuorumLease lease = lock.acquire();
    quorum.keepers().get(2).close();
    eventually().until(() -> lease.lost().toCompletableFuture().isDone());
    assertThatThrownBy(lock::acquire).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> lock.acquireAsync().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  void whatIsNoQuorumIsRefused() {
    List<Lockkeeper> keepers = quorum().keepers();
    Lockkeeper twice = Lockkeeper.builder().connect(servers.get(0).factory());
    clients.add(twice);
    assertThatThrownBy(() -> Lockkeeper.quorum(keepers.get(0), keepers.get(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
    assertThatThrownBy(() -> Lockkeeper.quorum(keepers.get(0), keepers.get(1), twice))
        .isInstanceOf(IllegalArgumentException.class);
    Quorum quorum = Lockkeeper.quorum(keepers);
    assertThat(quorum.majority()).isEqualTo(3);
    assertThatThrownBy(() -> quorum.lock("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withNodeTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> quorum.lock(NAME).lock(AcquireOptions.defaults().withFixedLease(Duration.ZERO)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> quorum.lock(NAME).newCondition())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aNodeThatNeverGrantedItConfirmsNoRelease() throws InterruptedException {
    QuorumLock lock = quorum(Map.of(), Duration.ofMinutes(10), LEASE).lock(NAME, OPTIONS);
    reach(false, 1, 3);
    QuorumLease lease = lock.acquire();
    eventually().until(() -> lease.nodes() == 3);
    reach(false, 4);
    AtomicBoolean isAllBack = new AtomicBoolean();

    CompletableFuture<Boolean> wasAllBack =
        lease.releaseAsync().thenApply(done -> isAllBack.get()).toCompletableFuture();

    eventually().until(() -> servers.get(0).isQuiet() && servers.get(2).isQuiet());
    assertThat(wasAllBack).isNotDone();
    isAllBack.set(true);
    reach(true, 4);
    assertThat(wasAllBack.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join())
        .isTrue();
  }

  @Test
  void aStageSaysWhenAMajorityKnowsOfARelease() throws InterruptedException {
    QuorumLock one = lock();
    QuorumLock other = lock();
    reach(false, 4);
    for (int i = 0; i < 50; i++) {
      one.tryAcquire(Delays.patience())
          .orElseThrow()
          .releaseAsync()
          .toCompletableFuture()
          .orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)
          .join();
      QuorumLease next = other.tryAcquire(Delays.patience()).orElseThrow();
      next.releaseAsync().toCompletableFuture().join();
    }
    QuorumLease last = one.tryAcquire(Delays.patience()).orElseThrow();
    eventually().until(() -> last.nodes() == NODES - 1);
    reach(false, 0, 1, 2);

    CompletableFuture<Void> released = last.releaseAsync().toCompletableFuture();

    assertThat(released).isNotDone();
    reach(true, 0, 1, 2);
    eventually().until(released::isDone);
    released.join();
  }
}

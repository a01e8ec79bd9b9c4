package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.CommandStat;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.process.CellProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operation costs at the server, counted in commands. */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class CommandBudgetTest {

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  private long calls(String command) {
    CommandStat stat = server.commandStats().get(command);
    return stat == null ? 0 : stat.calls();
  }

  private long scriptCalls() {
    return calls("evalsha") + calls("eval");
  }

  private void awaitScriptCalls(long expected) {
    await()
        .atMost(Delays.patience())
        .untilAsserted(() -> assertThat(scriptCalls()).isEqualTo(expected));
  }

  @Test
  void lockAndUnlockAloneAreTwoCommandsAndNoPublish() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      DistributedLock lock = keeper.lock("a");
      server.resetStats();
      for (int i = 0; i < 50; i++) {
        lock.lock();
        lock.unlock();
      }
      awaitScriptCalls(100);
      assertThat(calls("publish")).isZero();
      assertThat(calls("subscribe")).isZero();
    }
  }

  /** Acquires something, alone. */
  private interface Acquisition {
    Lease by(Lockkeeper keeper) throws InterruptedException;
  }

  /** Counts the commands inside of scripts, and the calls of these. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("acquisitions")
  void anAcquisitionAloneIsFewCommandsAtTheServer(String title, int budget, Acquisition acquisition)
      throws InterruptedException {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url() + "?afterLoss=grant")) {
      // Makes the record. Its release must be over before the counting begins.
      acquisition.by(keeper).releaseAsync().toCompletableFuture().join();
      server.resetStats();
      for (int i = 0; i < 50; i++) {
        acquisition.by(keeper).release();
      }
      await().atMost(Delays.patience()).until(() -> scriptCalls() >= 100);
      Map<String, CommandStat> stats = server.commandStats();
      stats.remove("info"); // which counts the others
      long all = stats.values().stream().mapToLong(CommandStat::calls).sum();
      // The client writes down who it is, too: less than one more for each.
      assertThat(all / 50).as(title).isLessThanOrEqualTo(budget);
    }
  }

  static Stream<Arguments> acquisitions() {
    return Stream.of(
        acquisition("lock", 10, keeper -> keeper.lock("a").acquire()),
        acquisition("fair lock", 9, keeper -> keeper.fairLock("a").acquire()),
        acquisition("write lock", 12, keeper -> keeper.readWriteLock("a").writeLock().acquire()),
        acquisition("read lock", 12, keeper -> keeper.readWriteLock("a").readLock().acquire()),
        acquisition("semaphore", 13, keeper -> keeper.semaphore("a", 3).acquire()));
  }

  private static Arguments acquisition(String title, int budget, Acquisition acquisition) {
    return Arguments.of(title, budget, acquisition);
  }

  @Test
  void aReleaseThatRestsIsOneCommandAndNoPublish() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      server.resetStats();
      for (int i = 0; i < 50; i++) {
        keeper.lock("rests" + i).acquire().releaseAfter(Duration.ofMinutes(1));
      }
      awaitScriptCalls(100);
      assertThat(calls("publish")).isZero();
    }
  }

  @Test
  void unlockDoesNotWaitForTheServer() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      DistributedLock lock = keeper.lock("a");
      lock.lock();
      server.freeze();
      try {
        lock.unlock(); // would block for the request's time limit if it waited
      } finally {
        server.thaw();
      }
      assertThat(lock.tryLock()).isTrue();
      lock.unlock();
    }
  }

  @Test
  void reentryCostsNothing() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      DistributedLock lock = keeper.lock("a");
      lock.lock();
      server.resetStats();
      for (int i = 0; i < 100; i++) {
        lock.lock();
        lock.unlock();
      }
      assertThat(scriptCalls()).isZero();
      lock.unlock();
    }
  }

  @ParameterizedTest(name = "{0} threads in each of two clients")
  @ValueSource(ints = {4, 32})
  void anAcquisitionUnderContentionIsAtMostTwoCommands(int threads) throws Exception {
    assertThat(commandsPerAcquisition(threads, keeper -> keeper.lock("a"))).isLessThanOrEqualTo(2);
  }

  @ParameterizedTest(name = "{0} threads in each of two clients")
  @ValueSource(ints = {4, 32})
  void aFairAcquisitionUnderContentionIsAtMostTwoCommands(int threads) throws Exception {
    assertThat(commandsPerAcquisition(threads, keeper -> keeper.fairLock("a")))
        .isLessThanOrEqualTo(2);
  }

  private double commandsPerAcquisition(int threads, Function<Lockkeeper, DistributedLock> locks)
      throws InterruptedException {
    int rounds = 3_200 / threads;
    try (Lockkeeper one = Lockkeeper.connect(server.url());
        Lockkeeper two = Lockkeeper.connect(server.url())) {
      server.resetStats();
      CountDownLatch done = new CountDownLatch(2 * threads);
      for (Lockkeeper keeper : List.of(one, two)) {
        DistributedLock lock = locks.apply(keeper);
        for (int i = 0; i < threads; i++) {
          new Thread(() -> acquire(lock, rounds, done)).start();
        }
      }
      assertThat(done.await(Delays.limit(120_000).toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      return (double) scriptCalls() / (2L * threads * rounds);
    }
  }

  private static void acquire(DistributedLock lock, int rounds, CountDownLatch done) {
    for (int i = 0; i < rounds; i++) {
      lock.lock();
      lock.unlock();
    }
    done.countDown();
  }

  @Test
  void aChangeOfACounterIsOneCommandAndNoPublish() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      server.resetStats();
      for (int i = 0; i < 50; i++) {
        keeper.counter("a").incrementAndGet();
      }
      assertThat(scriptCalls()).isEqualTo(50);
      assertThat(calls("publish")).isZero();
    }
  }

  @Test
  void theThreadsOfAClientCountTogether() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      server.resetStats();
      CellProcess.count(keeper.counter("a"), 16, 500);
      assertThat(keeper.counter("a").get()).isEqualTo(16 * 500);
      assertThat(scriptCalls()).isLessThan(16 * 500 / 2);
    }
  }

  @Test
  void oneCommandASecondLooksAfterAHundredWatchedCells() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      for (int i = 0; i < 100; i++) {
        keeper.countDownLatch("latch" + i).trySetCount(1);
        keeper.countDownLatch("latch" + i).awaitAsync();
      }
      await()
          .atMost(Delays.patience())
          .until(
              () -> Long.valueOf(1).equals(server.command("ZCARD", "lockkeeper:{latch99}:lat:w")));
      long begin = System.nanoTime();
      await().atMost(Delays.patience()).until(() -> System.nanoTime() - begin > 1_500_000_000L);
      server.resetStats();
      long start = System.nanoTime();
      await().atMost(Delays.patience()).until(() -> System.nanoTime() - start > 5_000_000_000L);
      // It takes a little longer than five seconds to count them.
      assertThat(scriptCalls()).isBetween(3L, 10L);
    }
  }

  @Test
  void oneCommandRenewsAHundredLeases() {
    int leases = 200;
    AtomicInteger renewed = new AtomicInteger();
    try (Lockkeeper keeper =
        Lockkeeper.builder()
            .lease(Duration.ofSeconds(6))
            .listener(
                event -> {
                  if (event instanceof LockEvent.Renewed) {
                    renewed.incrementAndGet();
                  }
                })
            .connect(server.url())) {
      List<CompletableFuture<Lease>> acquisitions = new ArrayList<>();
      for (int i = 0; i < leases; i++) {
        acquisitions.add(keeper.lock("name" + i).acquireAsync().toCompletableFuture());
      }
      acquisitions.forEach(CompletableFuture::join);
      server.resetStats();
      await().atMost(Delays.patience()).until(() -> renewed.get() >= 2 * leases);
      // Two full requests a round if all fell into one slot of time, and at most one more if not.
      assertThat(scriptCalls()).isLessThanOrEqualTo(2L * 3 + 1);
    }
  }
}

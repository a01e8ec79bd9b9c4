package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class InterruptsTest {

  private final String namespace = "interrupts-" + UUID.randomUUID();

  private Lockkeeper client() {
    return Lockkeeper.builder().namespace(namespace).connect(SharedServer.running().url());
  }

  @Test
  void threeHundredInterruptsAtAnyMomentLeaveNoNode() throws Exception {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (Lockkeeper a = client();
        Lockkeeper b = client()) {
      List<DistributedLock> locks =
          List.of(a.lock("n"), b.lock("n"), a.fairLock("n"), b.fairLock("n"));
      for (int i = 0; i < 300; i++) {
        DistributedLock lock = locks.get(i % locks.size());
        DistributedLock other = locks.get((i + 1) % locks.size());
        Future<?> interrupted = threads.submit(() -> lockAndUnlock(lock));
        Future<?> beside = threads.submit(() -> lockAndUnlock(other));
        LockSupport.parkNanos(random.nextInt(3_000_000));
        interrupted.cancel(true);
        beside.get(60, TimeUnit.SECONDS);
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(new ZooKeeperTckStore(SharedServer.running()).residue(namespace))
                      .isEmpty());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whoIsInterruptedClosesAllTheSameAndStaysInterrupted() throws Exception {
    Set<Thread> before = threadsOfDrivers();
    try (Lockkeeper other = client()) {
      Lockkeeper closed = client();
      closed.lock("n").lock();

      Thread.currentThread().interrupt();
      closed.close();

      assertThat(Thread.interrupted()).isTrue();
      assertThat(other.lock("n").tryLock(1, TimeUnit.MINUTES)).isTrue();
      other.lock("n").unlock();
    }
    await().atMost(Delays.patience()).until(() -> before.containsAll(threadsOfDrivers()));
  }

  @Test
  void whoIsInterruptedIsToldThatItWasWhyItDoesNotConnect() {
    Set<Thread> before = threadsOfDrivers();

    Thread.currentThread().interrupt();
    assertThatThrownBy(this::client)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("interrupted");

    assertThat(Thread.interrupted()).isTrue();
    await().atMost(Delays.patience()).until(() -> before.containsAll(threadsOfDrivers()));
  }

  /** Returns the threads of ZooKeeper and Curator, but not of those who look at the server. */
  private static Set<Thread> threadsOfDrivers() {
    RawTree.of(SharedServer.running()).below("/none");
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread -> thread.getName().matches(".*(Curator|SendThread|EventThread|lockkeeper).*"))
        .collect(Collectors.toSet());
  }

  private static Void lockAndUnlock(DistributedLock lock) throws InterruptedException {
    lock.lockInterruptibly();
    lock.unlock();
    return null;
  }
}

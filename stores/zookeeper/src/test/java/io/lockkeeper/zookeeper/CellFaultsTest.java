package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import io.lockkeeper.testkit.process.CellProcess;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters, values and latches over processes, while connections break and sessions end. */
@Tag("full")
class CellFaultsTest {

  private static final Duration STARTUP = Delays.limit(60_000);
  private static final int THREADS = 8;
  private static final int ROUNDS = 10_000;

  /** Each takes about a second, until the client is connected again. */
  private static final int BREAKS = 12;

  private ZooKeeperServer server;

  @BeforeEach
  void start() {
    server = ZooKeeperServer.start();
  }

  @AfterEach
  void stop() {
    server.thawIfFrozen();
    server.close();
  }

  @Test
  @Tag("slow") // the kit counts with two clients
  void eightThreadsInEachOfTwoProcessesCountExactly() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url());
        TalkingProcess other = CellProcess.counting(server.url(), "a", THREADS, ROUNDS)) {
      DistributedCounter counter = keeper.counter("a");
      other.await("ready", STARTUP);
      long start = System.nanoTime();
      other.goOn();
      CellProcess.count(counter, THREADS, ROUNDS);
      other.await("done", Delays.limit(100_000));
      System.out.printf("counted after %.1f s%n", (System.nanoTime() - start) / 1e9);

      assertThat(counter.get()).isEqualTo(2L * THREADS * ROUNDS);
    }
  }

  @Test
  void requestsAndRepliesThatGetLostAreNotCountedTwice() throws Exception {
    try (TcpProxy proxy = new TcpProxy(ZooKeeperServer.HOST, server.port());
        Lockkeeper sound = Lockkeeper.connect(server.url());
        Lockkeeper failing =
            Lockkeeper.connect("zookeeper://127.0.0.1:" + proxy.port() + "?timeout=500ms")) {
      int rounds = 500;
      CompletableFuture<Void> counted =
          CompletableFuture.runAsync(() -> countUnchecked(failing.counter("a"), rounds));
      for (int i = 0; i < BREAKS; i++) {
        long before = sound.counter("a").get();
        letGoOn(counted, () -> sound.counter("a").get() > before);
        breakSomehow(proxy, i);
        long end = System.nanoTime() + 30_000_000;
        letGoOn(counted, () -> System.nanoTime() - end > 0);
        proxy.heal();
        sound.counter("a").incrementAndGet();
        sound.counter("a").decrementAndGet();
      }
      counted.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);

      assertThat(sound.counter("a").get()).isEqualTo((long) THREADS * rounds);
    }
  }

  private static void letGoOn(CompletableFuture<Void> work, Callable<Boolean> enough) {
    await()
        .atMost(Delays.patience())
        .pollInterval(Duration.ofMillis(5))
        .until(() -> work.isDone() || enough.call());
  }

  private static void countUnchecked(DistributedCounter counter, int rounds) {
    try {
      CellProcess.count(counter, THREADS, rounds);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void breakSomehow(TcpProxy proxy, int round) {
    switch (round % 4) {
      case 0 -> proxy.reset();
      case 1 -> proxy.swallow(Direction.TO_CLIENT);
      case 2 -> proxy.cut();
      default -> proxy.swallow(Direction.TO_SERVER);
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackHasForgottenNothing() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url() + "?timeout=1s")) {
      int rounds = 1_000;
      CompletableFuture<Void> counted =
          CompletableFuture.runAsync(() -> countUnchecked(keeper.counter("a"), rounds));
      await().atMost(Delays.patience()).until(() -> keeper.counter("a").get() > 100);
      server.restart();
      counted.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);

      assertThat(keeper.counter("a").get()).isEqualTo((long) THREADS * rounds);
    }
  }

  @Test
  void aSessionThatEndsNeitherRepeatsAnUpdateNorEndsAWait() throws Exception {
    try (TcpProxy proxy = new TcpProxy(ZooKeeperServer.HOST, server.port());
        Lockkeeper sound = Lockkeeper.connect(server.url());
        Lockkeeper failing =
            Lockkeeper.connect(
                "zookeeper://127.0.0.1:" + proxy.port() + "?timeout=500ms&sessionTimeout=300ms")) {
      DistributedCountDownLatch latch = sound.countDownLatch("a");
      latch.trySetCount(1);
      CompletableFuture<Void> open = failing.countDownLatch("a").awaitAsync().toCompletableFuture();
      assertThat(failing.counter("a").incrementAndGet()).isEqualTo(1);
      // Now the counter is known to be this client's alone: the next update needs no read.
      assertThat(failing.counter("a").incrementAndGet()).isEqualTo(2);

      proxy.swallow(Direction.TO_CLIENT);
      CompletableFuture<Long> lost = failing.counter("a").addAndGetAsync(10).toCompletableFuture();
      await().atMost(Delays.patience()).until(() -> sound.counter("a").get() == 12);
      proxy.refuse(); // otherwise it would be heard all the time that the client is there
      await().atMost(Delays.patience()).until(() -> sessions() == 1);
      latch.countDown();
      proxy.heal();

      assertThat(lost.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)).isEqualTo(12);
      open.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
      assertThat(sound.counter("a").get()).isEqualTo(12);
    }
  }

  @Test
  @SuppressWarnings("try") // a registration is only there to be closed
  void aListenerHearsTheLastValueThoughItsConnectionBreaks() {
    try (TcpProxy proxy = new TcpProxy(ZooKeeperServer.HOST, server.port());
        Lockkeeper keeper = Lockkeeper.connect("zookeeper://127.0.0.1:" + proxy.port());
        Lockkeeper other = Lockkeeper.connect(server.url())) {
      AtomicReference<String> heard = new AtomicReference<>();
      SharedValue value = other.sharedValue("a");
      try (Registration registration =
          keeper
              .sharedValue("a")
              .onChange(found -> heard.set(found.map(VersionedValue::text).orElse("-")))) {
        for (int i = 0; i < 5; i++) {
          String text = "value " + i;
          proxy.reset();
          value.set("soon replaced");
          value.set(text);
          await().atMost(Delays.patience()).until(() -> text.equals(heard.get()));
        }
      }
    }
  }

  private long sessions() {
    return Long.parseLong(server.metrics().getOrDefault("zk_global_sessions", "0"));
  }
}

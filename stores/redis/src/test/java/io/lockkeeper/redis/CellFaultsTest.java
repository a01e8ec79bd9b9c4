package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.servers.fault.TcpProxy.Direction;
import io.lockkeeper.testkit.process.CellProcess;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Counters, values and latches over processes, and while connections break. */
class CellFaultsTest {

  private static final Duration STARTUP = Delays.limit(60_000);
  private static final int THREADS = 8;
  private static final int ROUNDS = 10_000;

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  @Test
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
    try (TcpProxy proxy = new TcpProxy(RedisServer.HOST, server.port());
        Lockkeeper sound = Lockkeeper.connect(server.url());
        Lockkeeper failing =
            Lockkeeper.connect("redis://127.0.0.1:" + proxy.port() + "?timeout=200ms")) {
      int rounds = 500;
      CompletableFuture<Void> counted =
          CompletableFuture.runAsync(() -> countUnchecked(failing.counter("a"), rounds));
      for (int i = 0; !counted.isDone(); i++) {
        breakSomehow(proxy, i);
        long until = System.nanoTime() + 30_000_000;
        await().atMost(Delays.patience()).until(() -> System.nanoTime() > until);
        proxy.heal();
        sound.counter("a").incrementAndGet();
        sound.counter("a").decrementAndGet();
      }
      counted.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);

      assertThat(sound.counter("a").get()).isEqualTo((long) THREADS * rounds);
    }
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
  void threeProcessesAreLetThroughThoughTheirConnectionsBreakAtTheMomentOfZero() throws Exception {
    List<TalkingProcess> others = new ArrayList<>();
    try (Lockkeeper keeper = Lockkeeper.connect(server.url());
        Lockkeeper counting = Lockkeeper.connect(server.url())) {
      DistributedCountDownLatch latch = counting.countDownLatch("a");
      latch.trySetCount(1);
      for (int i = 0; i < 2; i++) {
        others.add(CellProcess.awaiting(server.url(), "a"));
      }
      CompletableFuture<Void> here = keeper.countDownLatch("a").awaitAsync().toCompletableFuture();
      for (TalkingProcess other : others) {
        other.await("ready", STARTUP);
      }
      await()
          .atMost(STARTUP)
          .until(() -> Long.valueOf(3).equals(server.command("ZCARD", "lockkeeper:{a}:lat:w")));

      CompletableFuture<Void> counted = latch.countDownAsync().toCompletableFuture();
      server.command("CLIENT", "KILL", "TYPE", "pubsub");
      counted.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);

      long start = System.nanoTime();
      for (TalkingProcess other : others) {
        other.await("open", Delays.millis(2_000));
      }
      here.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
      assertThat(System.nanoTime() - start).isLessThan(Delays.millis(2_000).toNanos());
      assertThat(latch.getCount()).hasValue(0);
    } finally {
      others.forEach(TalkingProcess::close);
    }
  }

  @Test
  @SuppressWarnings("try") // a registration is only there to be closed
  void aListenerHearsTheLastValueThoughItsConnectionIsKilled() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url());
        Lockkeeper other = Lockkeeper.connect(server.url())) {
      AtomicReference<String> heard = new AtomicReference<>();
      SharedValue value = other.sharedValue("a");
      try (Registration registration =
          keeper
              .sharedValue("a")
              .onChange(found -> heard.set(found.map(VersionedValue::text).orElse("-")))) {
        for (int i = 0; i < 5; i++) {
          String text = "value " + i;
          server.command("CLIENT", "KILL", "TYPE", "pubsub");
          value.set("soon replaced");
          value.set(text);
          await().atMost(Delays.patience()).until(() -> text.equals(heard.get()));
        }
      }
    }
  }

  @Test
  void aServerThatForgetsItsScriptsLearnsThemAgain() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      for (int i = 1; i <= 5; i++) {
        server.command("SCRIPT", "FLUSH");
        assertThat(keeper.counter("a").incrementAndGet()).isEqualTo(i);
        server.command("SCRIPT", "FLUSH");
        assertThat(keeper.counter("a").get()).isEqualTo(i);
      }
    }
  }

  @Test
  void whatATimeToLiveEndsLeavesNothingOnTheServer() {
    try (Lockkeeper keeper = Lockkeeper.connect(server.url())) {
      keeper.countDownLatch("a").trySetCount(1, Duration.ofMillis(500));
      keeper.countDownLatch("a").countDown();
      assertThat((Long) server.command("PTTL", "lockkeeper:{a}:lat")).isBetween(1L, 61_000L);

      keeper.sharedValue("b").set("x");
      assertThat(server.command("PTTL", "lockkeeper:{b}:val")).isEqualTo(-1L);
      keeper.sharedValue("b").delete();
      assertThat((Long) server.command("PTTL", "lockkeeper:{b}:val")).isBetween(1L, 60_000L);
      assertThat((Long) server.command("PTTL", "lockkeeper:{b}:val:u:" + keeper.clientId()))
          .isBetween(1L, 60_000L);
    }
  }
}

package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Other processes with the lock, or in line for it, that are killed or frozen. */
class ProcessFaultsTest {

  private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
  private static final Duration LONG_LEASE = Duration.ofMinutes(2);
  private static final Duration STARTUP = Delays.limit(60_000);

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  private final Lockkeeper keeper = Lockkeeper.builder().lease(LONG_LEASE).connect(server.url());

  @AfterEach
  void end() {
    keeper.close();
  }

  private Lease acquireWithin(CompletableFuture<Lease> acquisition, Duration limit)
      throws Exception {
    long start = System.nanoTime();
    Lease lease = acquisition.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    System.out.printf("admitted after %.1f s%n", (System.nanoTime() - start) / 1e9);
    return lease;
  }

  private CompletableFuture<Lease> request() {
    return keeper.fairLock("a").acquireAsync().toCompletableFuture();
  }

  @Test
  void aHolderThatIsKilledFreesTheLockWithinItsLease() throws Exception {
    try (TalkingProcess holder = LockingProcess.start(server.url(), "a", SHORT_LEASE)) {
      holder.await("held", STARTUP);
      CompletableFuture<Lease> waiting = request();
      holder.kill();
      acquireWithin(waiting, SHORT_LEASE.plus(Delays.millis(5_000))).close();
    }
  }

  @Test
  void aWaiterThatIsKilledDelaysTheNextByNoMoreThanTheHeartbeat() throws Exception {
    Lease first = keeper.lock("a").acquire();
    try (TalkingProcess second = LockingProcess.start(server.url(), "a", LONG_LEASE)) {
      second.await("waiting", STARTUP);
      awaitQueue(1);
      CompletableFuture<Lease> third = request();
      awaitQueue(2);
      second.kill();
      first.close();
      Duration heartbeat = Duration.ofMillis(Timings.DEFAULT.heartbeatMillis());
      acquireWithin(third, heartbeat.plus(Delays.millis(5_000))).close();
    }
  }

  @Test
  void aWaiterThatIsKilledAsItIsLetInDelaysTheNextByAboutASecond() throws Exception {
    Lease first = keeper.lock("a").acquire();
    try (TalkingProcess second = LockingProcess.start(server.url(), "a", LONG_LEASE)) {
      second.await("waiting", STARTUP);
      awaitQueue(1);
      CompletableFuture<Lease> third = request();
      awaitQueue(2);
      second.freeze(); // so that it cannot take the grant that now comes
      first.close();
      awaitQueue(1);
      second.kill();
      acquireWithin(third, Delays.millis(5_000)).close();
    }
  }

  @Test
  void aHolderThatWasFrozenBeyondItsLeaseKnowsAndCanDoNoHarm() throws Exception {
    try (TalkingProcess frozen = LockingProcess.start(server.url(), "a", SHORT_LEASE)) {
      long oldToken = Long.parseLong(frozen.await("held", STARTUP));
      frozen.freeze();
      Lease next = acquireWithin(request(), SHORT_LEASE.plus(Delays.millis(5_000)));
      assertThat(next.token()).isGreaterThan(oldToken);
      assertThat(write(next.token())).isTrue();
      frozen.goOn(); // it will look at its lease first
      frozen.thaw();
      assertThat(frozen.await("valid", STARTUP)).isEqualTo("false");
      assertThat(frozen.await("write", STARTUP)).isEqualTo("refused");
      frozen.await("refused", STARTUP);
      assertThat(next.isValid()).isTrue();
      assertThat(keeper.lock("a").isLocked()).isTrue();
      next.close();
    }
  }

  @Test
  void aHolderThatWasFrozenBeyondItsLeaseHearsOfTheLoss() throws Exception {
    try (TalkingProcess frozen = LockingProcess.start(server.url(), "a", SHORT_LEASE)) {
      frozen.await("held", STARTUP);
      frozen.freeze();
      Lease next = acquireWithin(request(), SHORT_LEASE.plus(Delays.millis(5_000)));
      frozen.thaw();
      frozen.await("lost", STARTUP);
      next.close();
    }
  }

  private boolean write(long token) {
    Object written =
        server.command("EVAL", LockingProcess.GUARDED_WRITE, "1", "register", Long.toString(token));
    return Long.valueOf(1).equals(written);
  }

  private void awaitQueue(int size) {
    await()
        .atMost(STARTUP)
        .until(() -> Long.valueOf(size).equals(server.command("ZCARD", "lockkeeper:{a}:q")));
  }
}

package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.fault.ClockShim;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wall clocks that jump by a day, of the server and of a client, while a lock is held. */
class ClockJumpTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration LEASE = Duration.ofMillis(1_500);
  private static final Duration LONG_LEASE = Duration.ofMinutes(2);
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

  private ClockShim clock;
  private RedisServer server;

  @BeforeEach
  void start() {
    Assumptions.assumeTrue(ClockShim.isAvailable(), "needs a C compiler (cc) on Linux");
    clock = ClockShim.create();
    server =
        RedisServer.builder().binary(Binaries.newest()).environment(clock.environment()).start();
    clock.jumpTo(DAY.negated());
    boolean obeys = Math.abs(serverSeconds() - machineSeconds()) > HALF_AN_HOUR.toSeconds();
    clock.jumpTo(Duration.ZERO);
    Assumptions.assumeTrue(obeys, "this redis-server does not ask the C library for the time");
  }

  @AfterEach
  void end() {
    if (server != null) {
      server.close();
    }
    if (clock != null) {
      clock.close();
    }
  }

  private long serverSeconds() {
    return Long.parseLong(String.valueOf(((List<?>) server.command("TIME")).get(0)));
  }

  private static long machineSeconds() {
    return TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
  }

  @Test
  void aServersClockThatJumpsAheadEndsALeaseEarlyAndTheHolderHears() throws Exception {
    try (Lockkeeper one = Lockkeeper.builder().lease(LEASE).connect(server.url());
        Lockkeeper two = Lockkeeper.builder().lease(LEASE).connect(server.url())) {
      Lease held = one.lock("a").acquire();
      clock.jumpTo(DAY);
      LeaseLost loss =
          held.lost()
              .toCompletableFuture()
              .get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
      assertThat(loss).isNotNull();
      assertThat(held.isValid()).isFalse();
      try (Lease next = two.lock("a").acquire()) {
        assertThat(next.token()).isGreaterThan(held.token());
        LockSupport.parkNanos(LEASE.toNanos()); // the new clock is as good as the old one
        assertThat(next.isValid()).isTrue();
      }
    }
  }

  @Test
  void aServersClockThatJumpsBackLeavesTheLockToItsHolder() throws Exception {
    try (Lockkeeper one = Lockkeeper.builder().lease(LEASE).connect(server.url());
        Lockkeeper two = Lockkeeper.builder().lease(LEASE).connect(server.url())) {
      Lease held = one.lock("a").acquire();
      clock.jumpTo(DAY.negated());
      LockSupport.parkNanos(LEASE.multipliedBy(3).dividedBy(2).toNanos()); // so it was renewed
      assertThat(held.isValid()).isTrue();
      assertThat(two.lock("a").tryLock()).isFalse();
      held.close();
      try (Lease next = two.lock("a").acquire()) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  @Test
  void tokensGrowWhereverTheServersClockJumps() throws Exception {
    long last = 0;
    List<Duration> jumps =
        List.of(Duration.ZERO, DAY, Duration.ZERO, DAY.negated(), DAY, DAY.negated());
    for (Duration jump : jumps) {
      clock.jumpTo(jump);
      try (Lockkeeper keeper = Lockkeeper.builder().lease(LONG_LEASE).connect(server.url());
          Lease lease = keeper.lock("a").acquire()) {
        assertThat(lease.token()).as("at %s", jump).isGreaterThan(last);
        last = lease.token();
      }
    }
  }

  @Test
  void aHolderWhoseOwnClockJumpsKeepsItsLock() throws Exception {
    try (ClockShim own = ClockShim.create();
        Lockkeeper keeper = Lockkeeper.builder().lease(LEASE).connect(server.url());
        TalkingProcess holder = LockingProcess.start(server.url(), "a", LEASE, own.environment())) {
      holder.await("held", Delays.patience());
      own.jumpTo(DAY);
      LockSupport.parkNanos(LEASE.toNanos());
      assertThat(keeper.lock("a").tryLock()).as("after the jump ahead").isFalse();
      own.jumpTo(DAY.negated());
      LockSupport.parkNanos(LEASE.toNanos());
      assertThat(keeper.lock("a").tryLock()).as("after the jump back").isFalse();
      holder.goOn();
      long millis = Long.parseLong(holder.await("clock", Delays.patience()));
      assertThat(System.currentTimeMillis() - millis).isGreaterThan(HALF_AN_HOUR.toMillis());
      assertThat(holder.await("valid", Delays.patience())).isEqualTo("true");
      assertThat(holder.await("write", Delays.patience())).isEqualTo("accepted");
      holder.await("released", Delays.patience());
      keeper.lock("a").acquire().close();
    }
  }
}

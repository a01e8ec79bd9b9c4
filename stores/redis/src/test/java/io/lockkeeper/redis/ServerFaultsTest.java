package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two clients at work while something happens to their server: nobody hangs, no two valid leases
 * overlap, tokens grow, and the work goes on.
 */
class ServerFaultsTest {

  private static final Duration LEASE = Duration.ofMillis(1_500);
  private static final int THREADS = 4;

  /** How many acquisitions there must have been before the fault, and must be after it. */
  private static final int MIN_ROUNDS = 200;

  /** Something that happens to a server. */
  interface Fault {
    void strike(RedisServer server);
  }

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  private final Set<Lease> held = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastToken = new AtomicLong();
  private final AtomicLong rounds = new AtomicLong();
  private final AtomicLong overlaps = new AtomicLong();
  private final AtomicLong tokensThatFell = new AtomicLong();
  private final AtomicBoolean stop = new AtomicBoolean();

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("restarted empty", server -> server.restart(RedisServer.Data.LOST)),
        fault("flushed", server -> server.command("FLUSHALL")),
        fault("its scripts flushed", server -> server.command("SCRIPT", "FLUSH")),
        fault(
            "its pub/sub connections killed",
            server -> server.command("CLIENT", "KILL", "TYPE", "pubsub")),
        fault(
            "paused for longer than a request",
            server -> server.command("CLIENT", "PAUSE", "2500")),
        fault("frozen for longer than a lease", ServerFaultsTest::freezeForLongerThanALease));
  }

  private static Arguments fault(String name, Fault fault) {
    return Arguments.of(name, fault);
  }

  private static void freezeForLongerThanALease(RedisServer server) {
    server.freeze();
    LockSupport.parkNanos(LEASE.multipliedBy(2).toNanos());
    server.thaw();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void theWorkGoesOnAndNoTwoValidLeasesOverlap(String name, Fault fault) throws Exception {
    String url = server.url() + "?timeout=1s";
    try (Lockkeeper one = Lockkeeper.builder().lease(LEASE).connect(url);
        Lockkeeper two = Lockkeeper.builder().lease(LEASE).connect(url)) {
      List<Thread> threads = new ArrayList<>();
      for (Lockkeeper keeper : List.of(one, two)) {
        for (int i = 0; i < THREADS; i++) {
          boolean isFair = i % 2 == 0;
          threads.add(new Thread(() -> work(keeper, isFair)));
        }
      }
      threads.forEach(Thread::start);
      awaitRounds(MIN_ROUNDS);
      fault.strike(server);
      awaitRounds(rounds.get() + MIN_ROUNDS);
      stop.set(true);
      for (Thread thread : threads) {
        thread.join(Delays.patience().toMillis());
        assertThat(thread.isAlive()).as("a thread hangs").isFalse();
      }
    }
    assertThat(overlaps).as("overlaps of valid leases").hasValue(0);
    assertThat(tokensThatFell).as("tokens that fell").hasValue(0);
  }

  private void awaitRounds(long count) {
    await().atMost(Delays.limit(60_000)).until(() -> rounds.get() >= count);
  }

  private void work(Lockkeeper keeper, boolean isFair) {
    while (!stop.get()) {
      try (Lease lease = (isFair ? keeper.fairLock("a") : keeper.lock("a")).acquire()) {
        look(lease);
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        look(lease);
        held.remove(lease);
        rounds.incrementAndGet();
      } catch (LeaseLostException lost) {
        held.removeIf(lease -> !lease.isValid());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Compares a lease with all others that are valid at this moment. */
  private void look(Lease lease) {
    held.add(lease);
    if (!lease.isValid()) {
      return;
    }
    for (Lease other : held) {
      // In this order: a lease that is valid after the other was seen to be valid overlapped with
      // it.
      if (other != lease && other.isValid() && lease.isValid()) {
        overlaps.incrementAndGet();
      }
    }
    long before = lastToken.getAndAccumulate(lease.token(), Math::max);
    if (lease.isValid() && lease.token() < before) {
      tokensThatFell.incrementAndGet();
    }
  }

  @Test
  void aHolderHearsThatTheServerHasForgottenItAndNobodyElseWasLetInBefore() throws Exception {
    try (Lockkeeper one = Lockkeeper.builder().lease(LEASE).connect(server.url());
        Lockkeeper two = Lockkeeper.builder().lease(LEASE).connect(server.url())) {
      two.lock("other").acquire().close(); // it knows how long leases are here
      Lease forgotten = one.lock("a").acquire();
      server.command("FLUSHALL");
      Lease next = two.lock("a").acquire();
      assertThat(forgotten.isValid()).isFalse();
      assertThat(next.token()).isGreaterThan(forgotten.token());
      await()
          .atMost(Delays.patience())
          .until(() -> forgotten.lost().toCompletableFuture().isDone());
      next.close();
    }
  }

  @Test
  void whoDoesNotWantToWaitAfterALossIsLetInAtOnce() throws Exception {
    String url = server.url() + "?afterLoss=grant";
    try (Lockkeeper one = Lockkeeper.connect(url);
        Lockkeeper two = Lockkeeper.connect(url)) {
      Lease forgotten = one.lock("a").acquire();
      server.command("FLUSHALL");
      try (Lease next = two.lock("a").tryAcquire(Delays.patience()).orElseThrow()) {
        assertThat(next.token()).isGreaterThan(forgotten.token());
      }
    }
  }
}

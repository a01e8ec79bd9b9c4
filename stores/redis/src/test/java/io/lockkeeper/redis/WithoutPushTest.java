package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.ExclusionTck;
import io.lockkeeper.testkit.tck.OrderTck;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.WaitingTck;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that hear nothing from the server, and so ask again and again. */
@Tag("full")
class WithoutPushTest {

  private static RedisServer server() {
    return SharedServers.running(Binaries.newest());
  }

  private static Lockkeeper client() {
    return Lockkeeper.builder()
        .namespace("without-push")
        .connect(server().url() + "?push=off&afterLoss=grant");
  }

  private static TckStore polled() {
    return new RedisTckStore(server(), "&push=off");
  }

  @Nested
  class Exclusion extends ExclusionTck {
    @Override
    protected TckStore openStore() {
      return polled();
    }
  }

  @Nested
  class Waiting extends WaitingTck {
    @Override
    protected TckStore openStore() {
      return polled();
    }
  }

  @Nested
  class Order extends OrderTck {
    @Override
    protected TckStore openStore() {
      return polled();
    }
  }

  @Test
  void nothingIsSubscribed() {
    try (Lockkeeper keeper = client()) {
      Lease held = keeper.lock("a").acquireAsync().toCompletableFuture().join();
      assertThat((List<?>) server().command("PUBSUB", "CHANNELS", "without-push*")).isEmpty();
      held.release();
    }
  }

  @Test
  void aWaiterAsksSeldomWhenTheWaitIsLong() {
    try (Lockkeeper holder = client();
        Lockkeeper waiter = client()) {
      Lease held = holder.lock("b").acquireAsync().toCompletableFuture().join();
      CompletableFuture<Lease> next = waiter.lock("b").acquireAsync().toCompletableFuture();
      long begin = calls();
      long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      await().atMost(Delays.patience()).until(() -> System.nanoTime() >= end);

      assertThat(calls() - begin).isBetween(5L, 60L);
      held.release();
      next.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join().release();
    }
  }

  private static long calls() {
    String stats = (String) server().command("INFO", "commandstats");
    return stats
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("^[^=]*=(\\d+),.*", "$1")))
        .sum();
  }

  @Test
  void anIdleLeaseIsNotKeptBecauseNobodyCouldAskForIt() throws InterruptedException {
    try (Lockkeeper keeper = client();
        Lockkeeper other = client()) {
      DistributedLock lock =
          keeper.lock("c", LockOptions.defaults().withRetention(Duration.ofMinutes(5)));
      lock.acquire().release();

      await().atMost(Delays.patience()).until(() -> !other.lock("c").isLocked());
    }
  }
}

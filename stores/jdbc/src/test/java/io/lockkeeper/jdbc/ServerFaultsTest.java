package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What goes wrong with a server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerFaultsTest {

  private SqlServer server;

  /** Starts the server, if it is there. */
  SqlServer start() {
    Databases.require(PostgresServer.binaries());
    return PostgresServer.builder().durable().start();
  }

  @BeforeAll
  void begin() {
    server = start();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackInterruptsNobodyForGood() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger count = new AtomicInteger();
    AtomicInteger doubled = new AtomicInteger();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int client = 0; client < 4; client++) {
      Lockkeeper keeper =
          Lockkeeper.builder()
              .namespace("faults")
              .storeTimeout(Duration.ofMinutes(1))
              .connect(server.jdbcUrl());
      Thread thread =
          new Thread(
              () -> {
                try (keeper) {
                  while (!stop.get()) {
                    work(keeper, inside, count, doubled);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (int round = 0; round < 2; round++) {
      awaitProgress(count);
      server.restart();
    }
    awaitProgress(count);
    stop.set(true);
    for (Thread thread : threads) {
      thread.join(Delays.patience().toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(doubled).hasValue(0);
  }

  private static void work(
      Lockkeeper keeper, AtomicInteger inside, AtomicInteger count, AtomicInteger doubled) {
    Lease lease = keeper.lock("a").acquireAsync().toCompletableFuture().join();
    boolean alone = inside.incrementAndGet() == 1;
    boolean wasValid = lease.isValid();
    inside.decrementAndGet();
    if (!alone && wasValid) {
      doubled.incrementAndGet();
    }
    count.incrementAndGet();
    try {
      lease.release();
    } catch (LeaseLostException lost) {
      // The server was away for longer than the lease.
    }
  }

  private static void awaitProgress(AtomicInteger count) {
    int before = count.get();
    await().atMost(Delays.limit(40_000)).until(() -> count.get() >= before + 20);
  }

  @Test
  void aSilentServerMakesAnOutcomeUnknownInTime() {
    String url = server.jdbcUrl() + "&lockkeeper.timeout=2s";
    StoreProbe probe =
        new StoreProbe(new JdbcStoreProvider().factory(url), "silent", Timings.DEFAULT);
    try (probe) {
      Grant grant = probe.claimed(ResourceId.lock("r"), 1);
      server.freeze();
      try {
        assertThat(probe.claim(ResourceId.lock("s"), 2)).isInstanceOf(Outcome.Unknown.class);
        assertThat(probe.renew(ResourceId.lock("r"), grant)).isInstanceOf(Outcome.Unknown.class);
      } finally {
        server.thaw();
      }
      await()
          .atMost(Delays.patience())
          .until(() -> probe.claim(ResourceId.lock("s"), 2) instanceof Outcome.Answered<?>);
      assertThat(probe.release(ResourceId.lock("r"), grant).released()).isTrue();
    }
  }
}

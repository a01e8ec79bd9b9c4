package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Delays;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a client takes from a pool of connections. */
class PoolOfTwoTest {

  private static final int WAITERS = 1_000;

  private static HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Databases.postgres().jdbcUrl());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  private static Lockkeeper client(JdbcStores stores) {
    return Lockkeeper.builder().namespace("pool").connect(stores);
  }

  private static void awaitActive(HikariDataSource pool, int connections) {
    await()
        .atMost(Delays.patience())
        .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == connections);
  }

  private static int waiting(Lockkeeper keeper) {
    return keeper.admin().inspect(ResourceKind.LOCK, "a").waiters().size();
  }

  @Test
  void twoConnectionsServeAThousandWaiters() {
    try (HikariDataSource pool = pool();
        Lockkeeper keeper = client(JdbcStores.from(pool))) {
      Lease first = keeper.lock("a").acquireAsync().toCompletableFuture().join();
      AtomicInteger inside = new AtomicInteger();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < WAITERS; i++) {
        all.add(
            keeper
                .fairLock("a")
                .acquireAsync()
                .toCompletableFuture()
                .thenAccept(
                    lease -> {
                      assertThat(inside.incrementAndGet()).isEqualTo(1);
                      inside.decrementAndGet();
                      lease.release();
                    }));
      }
      await().atMost(Delays.patience()).until(() -> waiting(keeper) == WAITERS);
      first.release();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .orTimeout(Delays.limit(60_000).toMillis(), TimeUnit.MILLISECONDS)
          .join();
    }
  }

  @Test
  void noConnectionIsOutWhileALockIsHeldOrWaitedFor() {
    try (HikariDataSource pool = pool();
        Lockkeeper keeper = client(JdbcStores.from(pool).withoutPush());
        Lockkeeper other = client(JdbcStores.from(pool).withoutPush())) {
      Lease held = keeper.lock("b").acquireAsync().toCompletableFuture().join();
      CompletableFuture<Lease> waiting = other.lock("b").acquireAsync().toCompletableFuture();
      awaitActive(pool, 0);
      assertThat(waiting).isNotDone();
      held.release();
      waiting.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join().release();
      awaitActive(pool, 0);
    }
  }

  @Test
  void hearingTakesOneConnectionForGood() {
    try (HikariDataSource pool = pool()) {
      try (Lockkeeper keeper = client(JdbcStores.from(pool))) {
        keeper.lock("c").acquireAsync().toCompletableFuture().join().release();
        awaitActive(pool, 1);
      }
      awaitActive(pool, 0);
    }
  }

  /** A pool logs a warning about one that it finds broken, and makes another. */
  @Test
  void theConnectionThatListenedGoesBackIntoThePoolAsItWas() throws SQLException {
    try (HikariDataSource pool = pool()) {
      List<Integer> before = sessions(pool);
      try (Lockkeeper keeper = client(JdbcStores.from(pool))) {
        keeper.lock("e").acquireAsync().toCompletableFuture().join().release();
        awaitActive(pool, 1);
      }
      awaitActive(pool, 0);

      assertThat(sessions(pool)).containsExactlyInAnyOrderElementsOf(before);
      try (Connection one = pool.getConnection();
          Connection other = pool.getConnection()) {
        for (Connection each : List.of(one, other)) {
          assertThat(JdbcDoctor.one(each, "select pg_listening_channels()")).isEmpty();
          assertThat(each.getNetworkTimeout()).isZero();
        }
      }
    }
  }

  /** The thread that closes a client and the one that listened may both be at it. */
  @Test
  void aConnectionThatHasGoneBackIntoThePoolIsNotAborted() throws SQLException {
    try (HikariDataSource pool = pool()) {
      List<Integer> before = sessions(pool);
      ListenLink link =
          ListenLink.of(pool.getConnection(), "f", (int) Delays.patience().toMillis());
      assertThat(link.listen()).isTrue();
      link.close();
      link.abort();
      assertThat(sessions(pool)).containsExactlyInAnyOrderElementsOf(before);
    }
  }

  /** Returns the sessions of both connections. */
  private static List<Integer> sessions(HikariDataSource pool) throws SQLException {
    try (Connection one = pool.getConnection();
        Connection other = pool.getConnection()) {
      return List.of(session(one), session(other));
    }
  }

  private static int session(Connection connection) throws SQLException {
    return Integer.parseInt(JdbcDoctor.one(connection, "select pg_backend_pid()").orElseThrow());
  }

  @Test
  void aPoolOfOneIsNotAskedForAConnectionToListenOn() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Databases.postgres().jdbcUrl());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(Delays.millis(600_000).toMillis());
    try (HikariDataSource pool = new HikariDataSource(config)) {
      // A data source around it does not say how many connections there are.
      for (DataSource source : List.of(pool, new CountingSource(pool))) {
        long began = System.nanoTime();
        try (Lockkeeper keeper =
            client(JdbcStores.from(source).withTimeout(Duration.ofSeconds(3)))) {
          assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Delays.limit(60_000));
          awaitActive(pool, 0);
          for (int i = 0; i < 3; i++) {
            keeper.lock("f").acquireAsync().toCompletableFuture().join().release();
          }
        }
        awaitActive(pool, 0);
      }
    }
  }

  /** Transactions that wait for a lock have all connections. */
  @Test
  void aPoolWithoutConnectionsIsNamedAsTheCauseWithTheRemedy() throws Exception {
    try (HikariDataSource pool = pool();
        Lockkeeper keeper =
            Lockkeeper.builder()
                .namespace("starved")
                .storeTimeout(Duration.ofSeconds(2))
                .connect(JdbcStores.from(pool).withoutPush().withTimeout(Duration.ofMillis(500)));
        Lockkeeper other =
            Lockkeeper.builder().namespace("starved").connect(Databases.postgres().jdbcUrl())) {
      Lease held = other.lock("a").acquire();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      CountDownLatch both = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        all.add(done);
        new Thread(
                () -> {
                  try (Connection transaction = pool.getConnection()) {
                    transaction.setAutoCommit(false);
                    both.countDown();
                    both.await();
                    keeper.lock("a").lock();
                    done.complete(null);
                  } catch (Throwable e) {
                    done.completeExceptionally(e);
                  }
                })
            .start();
      }
      for (CompletableFuture<Void> done : all) {
        assertThatExceptionOfType(ExecutionException.class)
            .isThrownBy(() -> done.get(Delays.millis(20_000).toMillis(), TimeUnit.MILLISECONDS))
            .withCauseInstanceOf(StoreUnavailableException.class)
            .withStackTraceContaining("no connection was given within 500 ms")
            .withStackTraceContaining("give Lockkeeper a data source of its own");
      }
      held.release();

      Lease next = keeper.lock("a").acquireAsync().toCompletableFuture().get();
      next.release();
    }
  }

  @Test
  void aStricterIsolationLevelCostsTriesAndNoLocks() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Databases.postgres().jdbcUrl());
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger count = new AtomicInteger();
    try (HikariDataSource pool = new HikariDataSource(config)) {
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int client = 0; client < 4; client++) {
        Lockkeeper keeper = client(JdbcStores.from(pool).withoutPush());
        Thread thread =
            new Thread(
                () -> {
                  try (keeper) {
                    for (int i = 0; i < 25; i++) {
                      Lease lease = keeper.lock("d").acquire();
                      assertThat(inside.incrementAndGet()).isEqualTo(1);
                      count.incrementAndGet();
                      inside.decrementAndGet();
                      lease.release();
                    }
                  } catch (Throwable e) {
                    synchronized (failures) {
                      failures.add(e);
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join(Delays.limit(60_000).toMillis());
      }
      assertThat(failures).isEmpty();
      assertThat(count).hasValue(100);
    }
  }
}

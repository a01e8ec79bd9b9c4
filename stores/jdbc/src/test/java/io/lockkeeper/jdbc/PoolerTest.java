package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.servers.PgBouncerServer;
import io.lockkeeper.servers.PgBouncerServer.Mode;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** PostgreSQL behind PgBouncer, which may give each transaction another session. */
@Tag("full")
class PoolerTest {

  /** What it takes the sessions that have waited longest first, and so all of them in turn. */
  private static final String ROUND_ROBIN = "server_round_robin = 1";

  private static PostgresServer postgres;

  @BeforeAll
  static void start() {
    Assumptions.assumeTrue(
        PgBouncerServer.isInstalled() || "true".equals(System.getenv("CI")),
        PgBouncerServer.WHY_NONE);
    Databases.require(PostgresServer.binaries());
    postgres = PostgresServer.start();
    Lockkeeper.connect(postgres.jdbcUrl()).close(); // makes the tables
  }

  @AfterAll
  static void stop() {
    if (postgres != null) {
      postgres.close();
    }
  }

  private static PgBouncerServer bouncer(Mode mode, int poolSize) {
    return PgBouncerServer.start(postgres, mode, poolSize);
  }

  private static Lockkeeper connect(String url) {
    return Lockkeeper.builder().namespace("pooler").connect(url);
  }

  private static StoreProbe probe(String url) {
    return new StoreProbe(new JdbcStoreProvider().factory(url), "pooler", Timings.DEFAULT);
  }

  private static boolean isNotified(StoreProbe probe) {
    return probe.store.traits().pushes();
  }

  /** Asks over as many connections at once as there may be sessions; returns all answers. */
  private static List<String> askAll(String url, int connections, String sql) throws SQLException {
    List<Connection> open = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        Connection connection = DriverManager.getConnection(url);
        open.add(connection);
        connection.setAutoCommit(false); // so that it keeps its session meanwhile
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            answers.add(rows.getString(1));
          }
        }
      }
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
    return answers;
  }

  private static List<String> channels(PgBouncerServer bouncer, int sessions) throws SQLException {
    return askAll(bouncer.jdbcUrl(), sessions, "select pg_listening_channels()");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void aClientWhoseTransactionsGetOtherSessionsKnowsThatItIsNotNotified(int poolSize)
      throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, poolSize)) {
      try (StoreProbe probe = probe(bouncer.jdbcUrl())) {
        assertThat(isNotified(probe)).isFalse();
      }
      assertThat(channels(bouncer, poolSize)).isEmpty();
    }
  }

  /** So that the session that listened is the last one to be given out again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void inWhateverOrderSessionsAreGivenOutItKnowsAndLeavesNoListen(int poolSize)
      throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, poolSize)) {
      bouncer.reload(Mode.TRANSACTION, poolSize, ROUND_ROBIN);
      askAll(bouncer.jdbcUrl(), poolSize, "select 1"); // now there are as many sessions
      for (int i = 0; i < 3; i++) {
        try (StoreProbe probe = probe(bouncer.jdbcUrl() + "&lockkeeper.timeout=1s")) {
          assertThat(isNotified(probe)).isFalse();
        }
      }
      assertThat(channels(bouncer, poolSize)).isEmpty();
    }
  }

  @Test
  void aPoolOfTheApplicationBehindItIsFoundOutToo() throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, 3);
        HikariDataSource pool = pool(bouncer.jdbcUrl());
        StoreProbe probe = new StoreProbe(JdbcStores.from(pool), "pooler", Timings.DEFAULT)) {
      assertThat(isNotified(probe)).isFalse();
      assertThat(channels(bouncer, 3)).isEmpty();
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(3);
    return new HikariDataSource(config);
  }

  @Test
  void aClientWithASessionOfItsOwnIsNotifiedAndLeavesNoListenBehind() throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.SESSION, 10)) {
      try (StoreProbe probe = probe(bouncer.jdbcUrl())) {
        probe.store.listen(NotificationListener.silent());
        assertThat(isNotified(probe)).isTrue();
      }
      await().atMost(Delays.patience()).until(() -> channels(bouncer, 4).isEmpty());
    }
  }

  /** An operator may change the mode at any time, and need not tell the clients. */
  @Test
  void aClientNoticesWhenItIsNotNotifiedAnyMore() throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.SESSION, 10);
        StoreProbe probe = probe(bouncer.jdbcUrl())) {
      probe.store.listen(NotificationListener.silent());
      assertThat(isNotified(probe)).isTrue();

      bouncer.reload(Mode.TRANSACTION, 10, "");
      askAll(postgres.jdbcUrl(), 1, TERMINATE); // its connections are new ones then

      await().atMost(Delays.limit(40_000)).until(() -> !isNotified(probe));
      await().atMost(Delays.patience()).until(() -> channels(bouncer, 3).isEmpty());
    }
  }

  private static final String TERMINATE =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where pid <> pg_backend_pid() and backend_type = 'client backend'";

  @ParameterizedTest
  @EnumSource(names = {"SESSION", "TRANSACTION"})
  void locksAreHandedOverAndNothingFails(Mode mode) throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    try (PgBouncerServer bouncer = bouncer(mode, mode == Mode.SESSION ? 30 : 3)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int client = 0; client < 3; client++) {
        for (int thread = 0; thread < 2; thread++) {
          all.add(new CompletableFuture<>());
        }
        var mine = all.subList(all.size() - 2, all.size());
        work(bouncer.jdbcUrl(), mine.get(0), mine.get(1), inside, done);
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .get(Delays.limit(120_000).toMillis(), TimeUnit.MILLISECONDS);
    }
    assertThat(done).hasValue(3 * 2 * ROUNDS);
  }

  private static final int ROUNDS = 60;

  private static void work(
      String url,
      CompletableFuture<Void> one,
      CompletableFuture<Void> other,
      AtomicInteger inside,
      AtomicInteger done) {
    Lockkeeper keeper = connect(url);
    for (CompletableFuture<Void> end : List.of(one, other)) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < ROUNDS; i++) {
                    Lease lease = keeper.fairLock("a").acquire();
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    inside.decrementAndGet();
                    lease.release();
                    keeper.semaphore("s", 3).acquire().release();
                    keeper.counter("c").incrementAndGet();
                    done.incrementAndGet();
                  }
                  end.complete(null);
                } catch (Throwable e) {
                  end.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    var unused =
        CompletableFuture.allOf(one, other).whenComplete((none, failure) -> keeper.close());
  }

  @Test
  void aClientNamesNoStatementWhereOthersMayHaveItsSession() throws SQLException {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, 2);
        Lockkeeper keeper = connect(bouncer.jdbcUrl());
        HikariDataSource pool = pool(bouncer.jdbcUrl());
        Lockkeeper borrowing =
            Lockkeeper.builder().namespace("pooler").connect(JdbcStores.from(pool))) {
      for (int i = 0; i < 20; i++) {
        keeper.fairLock("a").acquireAsync().toCompletableFuture().join().release();
        borrowing.fairLock("b").acquireAsync().toCompletableFuture().join().release();
        keeper.semaphore("s", 3).acquireAsync().toCompletableFuture().join().release();
      }

      assertThat(
              askAll(
                  bouncer.jdbcUrl(),
                  2,
                  "select statement from pg_prepared_statements where statement like '%lockkeeper%'"))
          .isEmpty();
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.unwrap(PGConnection.class).getPrepareThreshold())
            .isEqualTo(5); // as the application has it
      }
    }
  }

  /** The names of statements are the driver's, and those of two clients are the same. */
  @Test
  void aStatementThatAnotherClientHasNamedIsTriedAgain() {
    PostgreSqlDialect dialect = new PostgreSqlDialect();

    assertThat(dialect.verdict(new SQLException("prepared statement exists", "42P05")))
        .isEqualTo(Verdict.AGAIN);
    assertThat(dialect.verdict(new SQLException("prepared statement does not exist", "26000")))
        .isEqualTo(Verdict.AGAIN);
  }

  /** Another client's statement of the same name would be executed, or nothing. */
  @Test
  void namesAreNotGivenByWishEitherWhereThePoolerDoesNotTrackThem() throws Exception {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, 2);
        Lockkeeper one = connect(bouncer.jdbcUrl() + "&prepareThreshold=3");
        Lockkeeper other = connect(bouncer.jdbcUrl())) {
      for (int i = 0; i < 30; i++) {
        one.fairLock("n").acquireAsync().toCompletableFuture().join().release();
        other.fairLock("n").acquireAsync().toCompletableFuture().join().release();
      }
      assertThat(
              askAll(
                  bouncer.jdbcUrl(),
                  2,
                  "select statement from pg_prepared_statements where statement like '%lockkeeper%'"))
          .isEmpty();
    }
  }

  @Test
  void aPoolerWithoutTransactionsIsRefused() {
    try (PgBouncerServer bouncer = bouncer(Mode.STATEMENT, 3)) {
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> connect(bouncer.jdbcUrl()))
          .withMessageContaining("needs transactions");
    }
  }

  @Test
  void theDoctorSaysThatAPoolerStandsBetween() {
    try (PgBouncerServer bouncer = bouncer(Mode.TRANSACTION, 3)) {
      assertThat(findings(bouncer.jdbcUrl())).contains("pooler");
    }
    assertThat(findings(postgres.jdbcUrl())).isNotEmpty().doesNotContain("pooler");
  }

  private static List<String> findings(String url) {
    StoreContext context =
        new StoreContext(
            "doctor",
            "pooler",
            "doctor",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    return new JdbcStoreProvider()
        .doctor(url).orElseThrow().examine(context).stream().map(Finding::subject).toList();
  }

  /** The driver keeps what was notified until somebody asks for it. */
  @Test
  void aConnectionKeepsNothingThatOthersListenTo() throws SQLException {
    Connection shared = DriverManager.getConnection(postgres.jdbcUrl());
    DataSource source =
        new FollowedSource(Databases.pool(postgres.jdbcUrl())) {
          @Override
          Connection open() {
            return shared;
          }

          @Override
          Follower follow(Connection connection) {
            return new Follower() {
              @Override
              Object around(String sql, Sending sending) throws Throwable {
                return sending.send();
              }

              @Override
              void close(Connection unused) {}
            };
          }
        };
    try (shared) {
      try (StoreProbe probe =
          new StoreProbe(
              JdbcStores.from(source).withoutPush().withConnections(1),
              "pooler",
              Timings.DEFAULT)) {
        try (Statement statement = shared.createStatement()) {
          statement.execute("listen others");
        }
        for (int i = 0; i < 5; i++) {
          askAllCommitting("select pg_notify('others', '" + i + "')");
          StoreProbe.get(probe.store.inspect(ResourceId.lock("r")));
        }
      }
      assertThat(shared.unwrap(PGConnection.class).getNotifications()).isNullOrEmpty();
    }
  }

  private static void askAllCommitting(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void whatComesOnAnotherChannelIsNotForThisClient() throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("listen mine");
      statement.execute("listen others");
      askAllCommitting("select pg_notify('others', 'no'), pg_notify('mine', 'yes')");

      assertThat(
              PgDriver.of(connection).await(connection, "mine", (int) Delays.patience().toMillis()))
          .containsExactly("yes");
    }
  }
}

package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H2 as applications set it up for their tests. */
class H2Test {

  private static JdbcDataSource source(String url) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(url);
    return source;
  }

  /** Uses each table. */
  private static void useAll(Lockkeeper keeper, Lockkeeper other) {
    Lease lease = keeper.lock("a").acquireAsync().toCompletableFuture().join();
    CompletableFuture<Lease> waiting = other.lock("a").acquireAsync().toCompletableFuture();
    lease.release();
    waiting.orTimeout(60, TimeUnit.SECONDS).join().release();
    Lease permit = keeper.semaphore("s", 2).acquireAsync().toCompletableFuture().join();
    permit.release();
    long before = keeper.counter("c").get();
    assertThat(keeper.counter("c").incrementAndGet()).isEqualTo(before + 1);
    assertThat(other.counter("c").get()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
        ";MODE=MySQL",
        ";MODE=MariaDB;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        ";MODE=DB2;DATABASE_TO_UPPER=FALSE",
        ";MODE=LEGACY;NON_KEYWORDS=VALUE"
      })
  void theApplicationsDataSourceIsEnoughInEachMode(String mode) {
    JdbcStores stores = JdbcStores.from(source(Databases.h2("mode" + mode.hashCode()) + mode));
    try (Lockkeeper keeper = Lockkeeper.builder().connect(stores);
        Lockkeeper other = Lockkeeper.builder().connect(stores)) {
      useAll(keeper, other);
    }
  }

  @Test
  void aPoolWhoseTransactionsAreSerializableWorks() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Databases.h2("serializable"));
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    try (HikariDataSource pool = new HikariDataSource(config);
        Lockkeeper keeper = Lockkeeper.builder().connect(JdbcStores.from(pool));
        Lockkeeper other = Lockkeeper.builder().connect(JdbcStores.from(pool))) {
      useAll(keeper, other);
      List<CompletableFuture<Long>> added =
          IntStream.range(0, 20)
              .mapToObj(i -> (i % 2 == 0 ? keeper : other).counter("n"))
              .map(counter -> CompletableFuture.supplyAsync(counter::incrementAndGet))
              .toList();
      added.forEach(CompletableFuture::join);
      assertThat(keeper.counter("n").get()).isEqualTo(20);
    }
  }

  @Test
  void aSchemaIsTakenAsItIsWritten() throws SQLException {
    String url = Databases.h2("schema");
    JdbcStores stores = JdbcStores.from(source(url)).withSchema("my Locks");
    try (Lockkeeper keeper = Lockkeeper.builder().connect(stores);
        Lockkeeper other = Lockkeeper.builder().connect(stores);
        Connection connection = DriverManager.getConnection(url)) {
      useAll(keeper, other);
      String question = "select count(*) from \"my Locks\".lockkeeper_resource";
      assertThat(Dialect.ask(connection, question)).isEqualTo("2");
    }
  }

  @Test
  void aFileKeepsTokensAndValues() {
    String url = Databases.h2File("kept") + ";lockkeeper.timeout=30s";
    long token;
    try (Lockkeeper keeper = Lockkeeper.connect(url);
        Lockkeeper other = Lockkeeper.connect(url)) {
      useAll(keeper, other);
      token = keeper.lock("a").acquireAsync().toCompletableFuture().join().token();
    }
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      assertThat(keeper.counter("c").get()).isEqualTo(1);
      assertThat(keeper.lock("a").acquireAsync().toCompletableFuture().join().token())
          .isGreaterThan(token);
    }
  }

  /** As a migration tool does. */
  @Test
  void theFileCanRunTwiceAndSuffices() throws SQLException {
    String url = Databases.h2("twice");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 2; i++) {
        for (String sql : Schema.statements(new H2Dialect())) {
          statement.execute(sql);
        }
      }
    }
    JdbcStores stores = JdbcStores.from(source(url)).withTables(Tables.EXPECT);
    try (Lockkeeper keeper = Lockkeeper.builder().connect(stores);
        Lockkeeper other = Lockkeeper.builder().connect(stores)) {
      useAll(keeper, other);
    }
  }

  @Test
  void aDatabaseThatEachConnectionHasForItselfIsRefused() {
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.builder().connect(JdbcStores.from(source("jdbc:h2:mem:"))))
        .withMessageContaining("jdbc:h2:mem:app;DB_CLOSE_DELAY=-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Oracle", "MSSQLServer"})
  void aModeWithOtherRulesIsRefused(String mode) {
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(Databases.h2(mode) + ";MODE=" + mode))
        .withMessageContaining("MODE=" + mode);
  }

  @Test
  void aDatabaseThatGoesWithItsLastConnectionIsARefusalThatSaysSo() {
    try (Lockkeeper keeper =
        Lockkeeper.builder().connect(JdbcStores.from(source("jdbc:h2:mem:gone")))) {
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.lock("a").acquire())
          .withMessageContaining("LOCKKEEPER_")
          .withMessageContaining("unless the URL has DB_CLOSE_DELAY=-1")
          .withMessageNotContaining("select");
    }
  }

  @Test
  void aWrongPasswordIsNotRepeated() throws SQLException {
    String url = Databases.h2("guarded") + ";USER=sa;PASSWORD=";
    DriverManager.getConnection(url + "right").close();

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url + "s3cret"))
        .withMessageContaining("jdbc:h2:mem:guarded: Wrong user name or password")
        .withMessageNotContaining("s3cret");
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> Lockkeeper.connect("jdbc:h2:relative;PASSWORD=s3cret"))
        .withMessageContaining("Use an absolute path")
        .withMessageNotContaining("s3cret");
  }

  /** An application's statement may keep rows locked for longer than H2 waits. */
  @Test
  void aLockTimeoutIsTriedAgain() throws Exception {
    String url = Databases.h2("busy") + ";LOCK_TIMEOUT=50";
    JdbcStores stores = JdbcStores.from(source(url)).withTimeout(Duration.ofSeconds(60));
    try (Lockkeeper keeper = Lockkeeper.builder().connect(stores);
        Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      keeper.lock("a").acquireAsync().toCompletableFuture().join().release();
      await().until(() -> !keeper.lock("a").isLocked());
      connection.setAutoCommit(false);
      statement.executeUpdate("update lockkeeper_resource set waiting = waiting");
      CompletableFuture<Lease> waiting = keeper.lock("a").acquireAsync().toCompletableFuture();
      Thread.sleep(300);
      assertThat(waiting).isNotDone();
      connection.rollback();
      waiting.orTimeout(60, TimeUnit.SECONDS).join().release();
    }
  }

  @Test
  void aFenceRefusesASmallerTokenThatHasWaitedForALargerOne() throws Exception {
    String url = Databases.h2("fenced") + ";LOCK_TIMEOUT=60000";
    SqlFence fence = SqlFence.create();
    try (Connection early = DriverManager.getConnection(url);
        Connection late = DriverManager.getConnection(url)) {
      SqlFence.createTable(early);
      early.setAutoCommit(false);
      late.setAutoCommit(false);
      for (long token : new long[] {1, 3}) { // the row is made, then changed
        fence.check(late, ResourceKind.LOCK, "a", token + 1);
        CompletableFuture<Void> checked =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    fence.check(early, ResourceKind.LOCK, "a", token);
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                });
        Thread.sleep(100);
        assertThat(checked).isNotDone();
        late.commit();
        assertThat(checked)
            .failsWithin(Duration.ofSeconds(60))
            .withThrowableThat()
            .withCauseInstanceOf(StaleTokenException.class);
        early.rollback();
      }
    }
  }
}

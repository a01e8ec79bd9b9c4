package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.SQLiteDataSource;

/** What becomes of databases that are not as they should be. */
class OpeningTest {

  private static void lockOnce(Lockkeeper keeper) {
    Lease lease = keeper.lock("a").acquireAsync().toCompletableFuture().join();
    lease.release();
  }

  @Test
  void tablesThatAreExpectedAreNamedIfTheyAreNotThere() {
    String url = Databases.sqlite("expected");

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url + "?lockkeeper.tables=expect"))
        .withMessageContaining("no table lockkeeper_resource")
        .withMessageContaining("io/lockkeeper/jdbc/sqlite/R__lockkeeper_01.sql");
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      lockOnce(keeper);
    }
    try (Lockkeeper keeper = Lockkeeper.connect(url + "?lockkeeper.tables=expect")) {
      lockOnce(keeper);
    }
  }

  @Test
  void tablesThatADataSourceMustHaveAreNamedIfTheyAreNotThere() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(Databases.sqlite("expected of a source"));

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(
            () -> Lockkeeper.builder().connect(JdbcStores.from(source).withTables(Tables.EXPECT)))
        .withMessageContaining("no table lockkeeper_resource")
        .withMessageContaining("io/lockkeeper/jdbc/sqlite/R__lockkeeper_01.sql")
        .withMessageContaining("lockkeeper.jdbc.tables=create");
  }

  /** SQLite says so of a table that is not there, if another one changes tables meanwhile. */
  @Test
  void aFileWhoseTablesAnotherOneMakesIsTriedAgain() {
    String message =
        "[SQLITE_SCHEMA] The database schema changed (no such table: lockkeeper_state)";

    assertThat(new SqliteDialect().verdict(new SQLException(message, null, 17)))
        .isEqualTo(Verdict.AGAIN);
  }

  @Test
  void aTableThatGoesAwayIsARefusalThatNamesIt() throws SQLException {
    String url = Databases.sqlite("gone");
    try (Lockkeeper keeper = Lockkeeper.connect(url);
        Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      lockOnce(keeper);
      statement.execute("drop table lockkeeper_resource");

      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.lock("a").acquire())
          .withMessageContaining("lockkeeper_resource")
          .withMessageContaining("R__lockkeeper_01.sql");
    }
  }

  /** Other processes may keep a file locked for longer than a request has. */
  @Test
  void aFileThatOthersWriteAllTheTimeCanBeOpened() throws SQLException {
    String url = Databases.sqlite("busy");
    Lockkeeper.connect(url).close();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
      try (Lockkeeper keeper = Lockkeeper.connect(url + "?lockkeeper.timeout=1s")) {
        statement.execute("commit");
        lockOnce(keeper);
      }
    }
  }

  @Test
  void aDataSourceIsEnough() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl(Databases.sqlite("source"));
    try (Lockkeeper keeper = Lockkeeper.builder().connect(JdbcStores.from(source));
        Lockkeeper other = Lockkeeper.builder().connect(JdbcStores.from(source))) {
      Lease held = keeper.lock("a").acquireAsync().toCompletableFuture().join();
      assertThat(other.lock("a").isLocked()).isTrue();
      held.release();
      lockOnce(other);
    }
  }

  /** Not one to look around, which is closed, and another one to work with. */
  @Test
  void whoLocksOnceConnectsOnce() throws SQLException {
    String url = Databases.mariaDb().jdbcUrl();
    Lockkeeper.connect(url).close(); // makes the tables
    try (Connection connection = DriverManager.getConnection(url)) {
      long before = connectionsSoFar(connection);
      try (Lockkeeper keeper =
          Lockkeeper.connect(url + "&lockkeeper.push=off&lockkeeper.connections=1")) {
        lockOnce(keeper);
      }

      assertThat(connectionsSoFar(connection) - before).isOne();
    }
  }

  private static long connectionsSoFar(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet status = statement.executeQuery("show status like 'Connections'")) {
      assertThat(status.next()).isTrue();
      return status.getLong(2);
    }
  }

  @Test
  void mySqlsDriverIsAsGoodAsMariaDbs() {
    MysqlDataSource source = new MysqlDataSource();
    source.setUrl(
        Databases.mariaDb()
            .jdbcUrl()
            .replace("jdbc:mariadb:", "jdbc:mysql:")
            .replace("sslMode=disable", "sslMode=DISABLED"));
    try (Lockkeeper keeper = Lockkeeper.builder().connect(JdbcStores.from(source));
        Lockkeeper other = Lockkeeper.builder().connect(JdbcStores.from(source))) {
      Lease held = keeper.lock("größer 🔒").acquireAsync().toCompletableFuture().join();
      CompletableFuture<Lease> next = other.lock("größer 🔒").acquireAsync().toCompletableFuture();
      held.release();
      next.orTimeout(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).join().release();
      assertThat(keeper.counter("größer 🔒").incrementAndGet()).isPositive();
    }
  }

  /** A host that takes connections and says nothing, as one does whose server hangs. */
  @Test
  @Timeout(
      value = 600,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // drivers hear no interrupt
  void aServerThatSaysNothingToANewConnectionIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Stream.of("postgresql", "mysql", "mariadb")
          .map(product -> product + "://127.0.0.1:" + silent.getLocalPort())
          .map(server -> CompletableFuture.runAsync(() -> assertGivenUp(server)))
          .toList() // side by side
          .forEach(CompletableFuture::join);
    }
  }

  private static void assertGivenUp(String server) {
    String url = "jdbc:%s/app?user=app&lockkeeper.timeout=1s".formatted(server);
    assertThatExceptionOfType(StoreUnavailableException.class)
        .as(server)
        .isThrownBy(() -> Lockkeeper.connect(url))
        .withMessageContaining(server.substring(server.lastIndexOf(':')));
  }

  @Test
  void aFolderThatIsNotThereIsSaid() {
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> Lockkeeper.connect("jdbc:sqlite:/not/there/locks.db"))
        .withMessageContaining("/not/there");
  }

  @Test
  void whatMayNotBeDoneIsDenied() throws SQLException {
    try (Connection connection = DriverManager.getConnection(Databases.postgres().jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("create role reader login");
      String url = Databases.postgres().jdbcUrl().replace("user=postgres", "user=reader");
      Lockkeeper.connect(Databases.postgres().jdbcUrl()).close(); // the tables are there now
      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> Lockkeeper.connect(url))
          .satisfies(e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
    }
  }

  /**
   * Time is the database's: a client's clock that is a day off has no effect, as nobody asks it.
   */
  @Test
  void noClassReadsTheClockOfTheDay() throws Exception {
    Path classes =
        Path.of(JdbcStores.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      List<Path> readers =
          files
              .filter(file -> file.toString().endsWith(".class"))
              .filter(OpeningTest::readsTheClock)
              .filter(file -> !file.toString().contains("/test-classes/"))
              .filter(file -> !file.endsWith("JdbcDoctor.class")) // it compares the two clocks
              .toList();
      assertThat(readers).isEmpty();
    }
  }

  private static boolean readsTheClock(Path file) {
    try {
      String code = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      return Stream.of(
              "currentTimeMillis", "java/time/Instant", "java/time/Clock", "java/util/Date")
          .anyMatch(code::contains);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

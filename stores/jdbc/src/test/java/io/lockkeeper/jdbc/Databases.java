package io.lockkeeper.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.SqlBinaries;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.servers.SqlServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** The databases that the tests of one process share. */
final class Databases {

  private static final boolean MUST_BE_THERE = "true".equals(System.getenv("CI"));
  private static final Path FOLDER = folder();
  private static final int MOST_CONNECTIONS = 400;
  private static final Map<String, HikariDataSource> POOLS = new ConcurrentHashMap<>();

  private Databases() {}

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("lockkeeper-jdbc-test");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException ignored) {
      // A temporary folder that stays is no harm.
    }
  }

  /**
   * Returns the PostgreSQL server that nearly all tests of this process share: the newest. To
   * connect to a machine's own, which is linked with many libraries, can take it twice the
   * processor time.
   */
  static PostgresServer postgres() {
    require(PostgresServer.binaries());
    return Postgres.SERVER;
  }

  /** Started when it is first needed. */
  private static final class Postgres {
    private static final PostgresServer SERVER =
        started(
            PostgresServer.builder()
                .binary(
                    PostgresServer.binaries()
                        .embedded()
                        .or(PostgresServer.binaries()::onMachine)
                        .orElseThrow()));
  }

  /** Returns a PostgreSQL server of the machine's own version, if it has one. */
  static PostgresServer installedPostgres() {
    require(PostgresServer.binaries());
    return InstalledPostgres.SERVER;
  }

  /** Started when it is first needed. */
  private static final class InstalledPostgres {
    private static final PostgresServer SERVER = started(PostgresServer.builder());
  }

  /** Returns the MariaDB server that all tests of this process share. */
  static MariaDbServer mariaDb() {
    require(MariaDbServer.binaries());
    return MariaDb.SERVER;
  }

  /** Started when it is first needed. */
  private static final class MariaDb {
    private static final MariaDbServer SERVER = started(MariaDbServer.builder());
  }

  /**
   * Returns the URL of the MySQL server that all tests of this process share, or of the one that
   * {@code -Dlockkeeper.test.mysql} names, with a user who may do everything in an empty database.
   */
  static String mySqlUrl() {
    String named = System.getProperty("lockkeeper.test.mysql");
    if (named != null) {
      return named;
    }
    require(MySqlServer.binaries());
    return MySql.SERVER.jdbcUrl();
  }

  /** Started when it is first needed. */
  private static final class MySql {
    private static final MySqlServer SERVER = started(MySqlServer.builder());
  }

  /** A client has up to three connections, and some tests have a hundred clients. */
  private static <S extends SqlServer> S started(SqlServerBuilder<S> builder) {
    return builder.option("max_connections", String.valueOf(MOST_CONNECTIONS)).start();
  }

  /** Skips the tests where there is no such server, but not where all must be there. */
  static void require(SqlBinaries binaries) {
    Assumptions.assumeTrue(
        MUST_BE_THERE || binaries.preferred().isPresent(), () -> binaries.whyNone());
  }

  /**
   * Returns connections to a server that the tests of this process share, for as many of its
   * clients as there are: to make one takes PostgreSQL more processor time than most tests do.
   */
  static DataSource pool(String url) {
    return POOLS.computeIfAbsent(url, Databases::newPool);
  }

  /** Connects to a database for a moment. */
  static Connection connect(String url) throws SQLException {
    String plain = JdbcUrl.parse(url).url;
    return plain.startsWith("jdbc:postgresql:")
        ? pool(url).getConnection()
        : DriverManager.getConnection(plain);
  }

  private static HikariDataSource newPool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(JdbcUrl.parse(url).url);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(MOST_CONNECTIONS * 3 / 4);
    return new HikariDataSource(config);
  }

  /** Returns a URL of the SQLite file of this name. */
  static String sqlite(String name) {
    return "jdbc:sqlite:" + FOLDER.resolve(name + ".db");
  }

  /** Returns a URL of the H2 database of this name, in memory. */
  static String h2(String name) {
    return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
  }

  /** Returns a URL of the H2 database in the file of this name. */
  static String h2File(String name) {
    return "jdbc:h2:" + FOLDER.resolve(name);
  }
}

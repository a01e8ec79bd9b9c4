package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreRefusedException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables of other versions than the one that this library makes. */
class SchemaTest {

  /** The kinds of databases, each with an empty one for each test. */
  enum Database {
    SQLITE,
    POSTGRESQL,
    MARIADB;

    Dialect dialect() {
      return switch (this) {
        case SQLITE -> new SqliteDialect();
        case POSTGRESQL -> new PostgreSqlDialect();
        case MARIADB -> new MySqlDialect();
      };
    }

    /** Returns a URL without parameters of this library, to which one can be added. */
    String empty(String name) throws SQLException {
      return switch (this) {
        case SQLITE -> Databases.sqlite(name) + "?busy_timeout=1000";
        case POSTGRESQL -> {
          run(Databases.postgres().jdbcUrl(), "create schema " + name);
          yield Databases.postgres().jdbcUrl() + "&currentSchema=" + name;
        }
        case MARIADB -> {
          String url = Databases.mariaDb().jdbcUrl();
          run(url, "create database " + name);
          yield url.replaceFirst("(//[^/]+/)\\w*", "$1" + name);
        }
      };
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long ask(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  private static long lockOnce(String url) {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      Lease lease = keeper.lock("a").acquireAsync().toCompletableFuture().join();
      lease.release();
      return lease.token();
    }
  }

  @ParameterizedTest
  @EnumSource
  void newerTablesAreUsedIfTheySayThatThisVersionCan(Database database) throws Exception {
    String url = database.empty("newer");
    lockOnce(url);
    run(url, "update lockkeeper_state set version = 7, compatible_since = 1");

    assertThat(lockOnce(url + "&lockkeeper.tables=expect")).isPositive();
    assertThat(lockOnce(url)).isPositive();

    assertThat(ask(url, "select version from lockkeeper_state")).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void newerTablesAreRefusedIfTheySayThatThisVersionCannot(Database database) throws Exception {
    String url = database.empty("foreign_age");
    lockOnce(url);
    run(url, "update lockkeeper_state set version = 7, compatible_since = 5");

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url))
        .withMessageContaining("are of version 7")
        .withMessageContaining("know version 5")
        .withMessageContaining("this one knows version " + Schema.VERSION)
        .withMessageContaining("use a newer lockkeeper-jdbc");
  }

  /** A version could be one of the application's own migrations, and Flyway refuses two of one. */
  @ParameterizedTest
  @EnumSource
  void flywayFindsTheFileAsAMigrationWithoutAVersion(Database database) {
    assertThat(Schema.file(database.dialect()))
        .matches("io/lockkeeper/jdbc/[a-z]+/R__lockkeeper_01\\.sql");
    assertThat(Schema.statements(database.dialect())).isNotEmpty();
  }

  /** As a migration tool does after a client. */
  @Test
  void onPostgreSqlTheFileChangesNothingWhereTheTablesAreThere() throws Exception {
    String url = Database.POSTGRESQL.empty("twice");
    lockOnce(url);
    for (String statement : Schema.statements(Database.POSTGRESQL.dialect())) {
      run(url, statement);
    }
    assertThat(lockOnce(url + "&lockkeeper.tables=expect")).isPositive();
  }
}

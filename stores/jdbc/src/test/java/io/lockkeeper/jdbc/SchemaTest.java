package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
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

    /** Makes the tables as clients of version 1 do. */
    void makeVersion1(String url) throws SQLException {
      for (String statement : Schema.statements(dialect(), 1)) {
        run(url, statement);
      }
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
  void tablesOfVersion1AreBroughtUpToDateByTheNextClient(Database database) throws Exception {
    String url = database.empty("older");
    database.makeVersion1(url);
    run(
        url,
        "insert into lockkeeper_resource (namespace, name, kind, last_token)"
            + " values ('lockkeeper', 'a', 'lock', 9000000000000000)");

    assertThat(lockOnce(url)).isEqualTo(9_000_000_000_000_001L);

    assertThat(ask(url, "select version from lockkeeper_state")).isEqualTo(Schema.VERSION);
    assertThat(ask(url, "select compatible_since from lockkeeper_state")).isEqualTo(1);
    assertThat(lockOnce(url)).isEqualTo(9_000_000_000_000_002L);
  }

  /** What clients of version 1 insert. */
  @ParameterizedTest
  @EnumSource
  void clientsOfVersion1GoOnOnTablesOfThisOne(Database database) throws Exception {
    String url = database.empty("mixed");
    lockOnce(url);

    run(
        url,
        "insert into lockkeeper_resource (namespace, name, kind) values ('lockkeeper', 'b',"
            + " 'lock')");
    run(
        url,
        "insert into lockkeeper_claim (resource_id, client, claim, label, granted, since_micros,"
            + " arrival, end_micros, permits, tokens, token, lease_millis, deadline_millis,"
            + " overtakes, confirmed) values (99, 'x', 1, '', 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0)");
    run(
        url,
        "insert into lockkeeper_cell (namespace, name, kind) values ('lockkeeper', 'b', 'ctr')");
    run(
        url,
        "insert into lockkeeper_cell_client (watch_end_micros, cell_id, client) values (1, 99,"
            + " 'x')");
    run(
        url,
        "insert into lockkeeper_client (namespace, id, name, host, pid, since_micros, seen_micros)"
            + " values ('lockkeeper', 'x', '', '', 1, 1, 1)");

    assertThat(ask(url, "select count(*) from lockkeeper_claim")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void tablesOfVersion1ThatMustBeLeftAloneAreRefusedWithBothVersions(Database database)
      throws Exception {
    String url = database.empty("kept");
    database.makeVersion1(url);

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url + "&lockkeeper.tables=expect"))
        .withMessageContaining("are of version 1")
        .withMessageContaining("needs version " + Schema.VERSION)
        .withMessageContaining(database.dialect().folder + "/R__lockkeeper_02.sql")
        .withMessageNotContaining("R__lockkeeper_01.sql");

    for (String statement : Schema.statements(database.dialect(), 2)) {
      run(url, statement);
    }
    Lockkeeper.connect(url + "&lockkeeper.tables=expect").close();
  }

  @ParameterizedTest
  @EnumSource
  void newerTablesAreUsedIfTheySayThatThisVersionCan(Database database) throws Exception {
    String url = database.empty("newer");
    lockOnce(url);
    run(url, "update lockkeeper_state set version = 7, compatible_since = 2");

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
  void flywayFindsTheFilesAsMigrationsWithoutAVersion(Database database) {
    for (int version = 1; version <= Schema.VERSION; version++) {
      assertThat(Schema.file(database.dialect(), version))
          .matches("io/lockkeeper/jdbc/[a-z]+/R__lockkeeper_0" + version + "\\.sql");
      assertThat(Schema.statements(database.dialect(), version)).isNotEmpty();
    }
  }

  /** As a migration tool does after a client. */
  @Test
  void onPostgreSqlTheFilesChangeNothingWhereTheTablesAreThere() throws Exception {
    String url = Database.POSTGRESQL.empty("twice");
    lockOnce(url);
    for (int version = 1; version <= Schema.VERSION; version++) {
      for (String statement : Schema.statements(Database.POSTGRESQL.dialect(), version)) {
        run(url, statement);
      }
    }
    assertThat(lockOnce(url + "&lockkeeper.tables=expect")).isPositive();
  }

  @Test
  void anAccountThatMayNotBringTheTablesUpToDateIsToldWhoMust() throws Exception {
    String url = Database.POSTGRESQL.empty("guarded");
    Database.POSTGRESQL.makeVersion1(url);
    run(url, "create role modest login");
    run(url, "grant usage on schema guarded to modest");
    run(url, "grant select, insert, update, delete on all tables in schema guarded to modest");

    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url.replace("user=postgres", "user=modest")))
        .withMessageContaining("are of version 1")
        .withMessageContaining("postgresql/R__lockkeeper_02.sql")
        .withMessageContaining("this account may not")
        .satisfies(e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
  }
}

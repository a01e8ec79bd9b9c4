package io.lockkeeper.lab.torture;

import io.lockkeeper.Lockkeeper;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.function.Supplier;

/**
 * What an administrator can change at a database while it is used.
 *
 * @param url where that one connects
 */
record SqlSettings(Supplier<String> url) {

  private static final String DISCONNECT =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  /** As a former primary that keeps its connections. */
  void makeReadOnly(boolean wish) {
    if (url.get().startsWith(SqlRemains.POSTGRESQL)) {
      run(
          "alter system set default_transaction_read_only = " + wish, //
          "select pg_reload_conf()");
    } else {
      run("set global read_only = " + (wish ? 1 : 0));
    }
  }

  /** PostgreSQL: to a schema that has nothing, or tables of the same names. */
  void leadElsewhere(Random random) {
    String whose = random.nextBoolean() ? "role" : "database";
    String schema = random.nextBoolean() ? "torture_empty" : "torture_other";
    if (schema.equals("torture_other")) {
      makeTables(schema);
    }
    run(
        "create schema if not exists " + schema,
        "alter %s postgres set search_path = %s".formatted(whose, schema),
        DISCONNECT);
  }

  private void makeTables(String schema) {
    Lockkeeper.builder()
        .connect(StoresUnderTest.with(url.get(), "lockkeeper.schema=" + schema))
        .close();
  }

  void leadBack() {
    run(
        "alter role postgres reset search_path",
        "alter database postgres reset search_path",
        DISCONNECT);
  }

  /** Carries out statements, each in a transaction of its own. */
  void run(String... statements) {
    try (Connection connection = DriverManager.getConnection(url.get());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

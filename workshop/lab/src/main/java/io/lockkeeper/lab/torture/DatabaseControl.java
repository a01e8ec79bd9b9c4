package io.lockkeeper.lab.torture;

import io.lockkeeper.Lockkeeper;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.function.Supplier;

/** A database whose administrator changes its settings while it is used. */
abstract class DatabaseControl implements Control {

  private static final String DISCONNECT =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  private final Supplier<String> adminUrl;

  /**
   * Creates one.
   *
   * @param adminUrl returns where an administrator connects
   */
  DatabaseControl(Supplier<String> adminUrl) {
    this.adminUrl = adminUrl;
  }

  /** As a former primary that keeps its connections. */
  @Override
  public void makeReadOnly(boolean wish) {
    if (adminUrl.get().startsWith(SqlRemains.POSTGRESQL)) {
      administer(
          "alter system set default_transaction_read_only = " + wish, //
          "select pg_reload_conf()");
    } else {
      administer("set global read_only = " + (wish ? 1 : 0));
    }
  }

  /** PostgreSQL: to a schema that has nothing, or tables of the same names. */
  @Override
  public void leadElsewhere(Random random) {
    String whose = random.nextBoolean() ? "role" : "database";
    String schema = random.nextBoolean() ? "torture_empty" : "torture_other";
    if (schema.equals("torture_other")) {
      makeTables(schema);
    }
    administer(
        "create schema if not exists " + schema,
        "alter %s postgres set search_path = %s".formatted(whose, schema),
        DISCONNECT);
  }

  private void makeTables(String schema) {
    Lockkeeper.builder()
        .connect(StoresUnderTest.with(adminUrl.get(), "lockkeeper.schema=" + schema))
        .close();
  }

  @Override
  public void leadBack() {
    administer(
        "alter role postgres reset search_path",
        "alter database postgres reset search_path",
        DISCONNECT);
  }

  private void administer(String... statements) {
    run(adminUrl.get(), statements);
  }

  /** Carries out statements, each in a transaction of its own. */
  static void run(String url, String... statements) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

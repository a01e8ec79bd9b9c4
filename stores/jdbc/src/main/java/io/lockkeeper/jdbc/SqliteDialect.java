package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** SQLite 3.35 and newer: one file on one machine, one writer at a time. */
final class SqliteDialect extends Dialect {

  SqliteDialect() {
    super(
        "sqlite",
        null,
        "cast(round((julianday('now') - 2440587.5) * 86400000) as integer) * 1000",
        "",
        "max",
        "min",
        true,
        false,
        NO_SERVER,
        "begin immediate",
        null,
        2_000_000);
  }

  @Override
  boolean speaks(String product) {
    return product.equals("SQLite");
  }

  @Override
  Dialect in(String schema, Connection connection) {
    return this;
  }

  @Override
  boolean hasSchema(Connection connection, String name) {
    return false;
  }

  @Override
  String quoted(String name) {
    return name;
  }

  @Override
  @Nullable String schemaOf(Connection connection) {
    return null;
  }

  /**
   * Lets readers and the writer not wait for each other, and the writer not for the disk: after a
   * crash of the machine the last writes may be missing, but then nobody is left who holds a lock,
   * and the clock makes tokens grow.
   */
  @Override
  void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = normal");
    }
    failAtOnce(connection);
  }

  /** The driver would sleep for ever longer times; what is tried again at short ones goes on. */
  @Override
  void failAtOnce(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 0");
    }
  }

  @Override
  boolean isThereAlready(SQLException error) {
    return Objects.toString(error.getMessage(), "").contains("duplicate column name");
  }

  @Override
  boolean isViolation(SQLException error) {
    return (error.getErrorCode() & 0xff) == 19;
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    int primary = error.getErrorCode() & 0xff;
    return switch (primary) {
      case 5, 6 -> Verdict.AGAIN; // busy, locked
      case 17 -> Verdict.AGAIN; // another one makes the tables at this moment
      case 19 -> Verdict.AGAIN; // a constraint: another one was quicker
      case 3, 8, 23 -> Verdict.DENIED; // no permission, read-only
      case 13 -> Verdict.FULL;
      case 11, 26 -> Verdict.REFUSED; // damaged, or not a database at all
      case 1 ->
          Objects.toString(error.getMessage(), "").contains("no such table")
              ? Verdict.NO_TABLE
              : Verdict.REFUSED;
      default -> Verdict.UNKNOWN;
    };
  }
}

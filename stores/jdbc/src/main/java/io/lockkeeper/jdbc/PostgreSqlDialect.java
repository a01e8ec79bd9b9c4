package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL 12 and newer.
 *
 * <p>Its planner reads a table as a whole if that has few pages, and keeps that plan while the
 * table grows, by rows that were deleted too. All statements here have an index, so transactions
 * tell it to use that; not the session, which a proxy may give to another application next.
 */
final class PostgreSqlDialect extends Dialect {

  private static final String UTF8 = "UTF8";

  private static final String SCHEMA_OF_TABLE =
      "select n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n"
          + " on n.oid = c.relnamespace where c.oid = pg_catalog.to_regclass(?)";

  private final String encoding;

  PostgreSqlDialect() {
    this(null, UTF8);
  }

  private PostgreSqlDialect(@Nullable String schema, String encoding) {
    super(
        "postgresql",
        schema,
        "(extract(epoch from clock_timestamp()) * 1000000)::bigint",
        " for update",
        "greatest",
        "least",
        true,
        true,
        // The timeline begins with the promotion; a checkpoint would tell of it later.
        "(case when pg_is_in_recovery() then ''"
            + " else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end)",
        null,
        "set local seq_page_cost = 100",
        20_000_000);
    this.encoding = encoding;
  }

  @Override
  boolean speaks(String product) {
    return product.equals("PostgreSQL");
  }

  @Override
  Dialect in(String schema, Connection connection) throws SQLException {
    return new PostgreSqlDialect(
        schema, Objects.requireNonNullElse(ask(connection, "show server_encoding"), UTF8));
  }

  /** Returns the encoding of the database, if it has not every character. */
  @Nullable String poorEncoding() {
    return encoding.equals(UTF8) || encoding.equals("SQL_ASCII") ? null : encoding;
  }

  @Override
  String shown(String text) {
    return poorEncoding() == null ? text : text.replaceAll("[^\\p{ASCII}]", "?");
  }

  @Override
  void checkText(Connection connection, String text) throws SQLException {
    ask(connection, "select ?::text", text);
  }

  @Override
  String explained(SQLException error) {
    return isOfText(error)
        ? "the database has the encoding %s, which lacks characters of this name: use others, or a"
                .formatted(encoding)
            + " database with the encoding UTF8 ("
            + error.getMessage()
            + ")"
        : super.explained(error);
  }

  private static boolean isOfText(SQLException error) {
    return Set.of("22P05", "22021").contains(Objects.toString(error.getSQLState(), ""));
  }

  @Override
  boolean hasSchema(Connection connection, String name) throws SQLException {
    return ask(connection, "select 1 from pg_catalog.pg_namespace where nspname = ?", name) != null;
  }

  /** Tables need not be in the first schema of the search path. */
  @Override
  @Nullable String schemaOf(Connection connection) throws SQLException {
    String found = ask(connection, SCHEMA_OF_TABLE, FIRST_TABLE);
    return found == null ? ask(connection, "select current_schema()") : found;
  }

  @Override
  @Nullable String schemaAtFirst(Connection connection) throws SQLException {
    boolean auto = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      String path =
          ask(
              connection,
              "select set_config(name, reset_val, true) from pg_catalog.pg_settings where name = ?",
              "search_path");
      return path == null ? null : ask(connection, SCHEMA_OF_TABLE, FIRST_TABLE);
    } finally {
      connection.rollback();
      connection.setAutoCommit(auto);
    }
  }

  /** Sends nothing if no transaction is open: the driver sees that in each answer. */
  @Override
  boolean settle(Connection connection) throws SQLException {
    boolean found = connection.getAutoCommit();
    if (found) {
      connection.setAutoCommit(false);
    }
    connection.rollback();
    connection.setAutoCommit(true);
    return found;
  }

  /** A column; tables and indexes are made "if not exists". */
  @Override
  boolean isThereAlready(SQLException error) {
    return Objects.equals(error.getSQLState(), "42701");
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    if (isOfText(error)) {
      return Verdict.REFUSED;
    }
    return switch (Objects.toString(error.getSQLState(), "")) {
      case "53100" -> Verdict.FULL;
      case "25006" -> Verdict.READ_ONLY;
      case "57014" -> Verdict.UNKNOWN; // cancelled by somebody
      default -> isNameOfAnother(error) ? Verdict.AGAIN : null;
    };
  }

  /**
   * Returns whether another statement has the name, or none. What was to be executed by that name
   * was not, nor the commit behind it.
   */
  @Override
  boolean isNameOfAnother(SQLException error) {
    return Set.of("42P05", "26000").contains(Objects.toString(error.getSQLState(), ""));
  }
}

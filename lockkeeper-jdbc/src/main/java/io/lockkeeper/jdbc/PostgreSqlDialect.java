package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL 12 and newer.
 *
 * <p>Its planner reads a table as a whole if that has few pages, and keeps that plan while the
 * table grows, by rows that were deleted too. All statements here have an index, so transactions
 * tell it to use that; not the session, which a proxy may give to another application next.
 */
final class PostgreSqlDialect extends Dialect {

  PostgreSqlDialect() {
    super(
        "postgresql",
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
  }

  @Override
  boolean speaks(String product) {
    return product.equals("PostgreSQL");
  }

  @Override
  String insertIfAbsent(String insert) {
    return "insert " + insert + " on conflict do nothing";
  }

  @Override
  void prepare(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** A column; tables and indexes are made "if not exists". */
  @Override
  boolean isThereAlready(SQLException error) {
    return Objects.equals(error.getSQLState(), "42701");
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    return switch (Objects.toString(error.getSQLState(), "")) {
      case "53100" -> Verdict.FULL;
      // Read-only, as a standby is; a query that was cancelled by somebody.
      case "25006", "57014" -> Verdict.UNKNOWN;
      default -> null;
    };
  }
}

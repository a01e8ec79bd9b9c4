package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** MySQL 8 and MariaDB 10.5, and newer. */
final class MySqlDialect extends Dialect {

  MySqlDialect() {
    super(
        "mysql",
        "timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))",
        " for update",
        "greatest",
        "least",
        false,
        false,
        "concat(@@hostname, ':', @@port, '/', @@server_id)",
        "start transaction",
        null,
        20_000_000);
  }

  @Override
  boolean speaks(String product) {
    return product.equals("MySQL") || product.equals("MariaDB");
  }

  @Override
  String insertIfAbsent(String insert) {
    return "insert ignore " + insert;
  }

  @Override
  String asKey(String expression) {
    return "last_insert_id(" + expression + ")";
  }

  @Override
  String keepLargerToken() {
    return " on duplicate key update token = greatest(token, ?)";
  }

  @Override
  void prepare(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /** Under "repeatable read", the default, a transaction would go on seeing what it saw first. */
  @Override
  @Nullable String beforeBegin(int level) {
    return level == Connection.TRANSACTION_REPEATABLE_READ
        ? "set transaction isolation level read committed"
        : null;
  }

  @Override
  boolean isThereAlready(SQLException error) {
    return error.getErrorCode() == 1060 || error.getErrorCode() == 1061; // a column, an index
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    return switch (error.getErrorCode()) {
      case 1205, 1213 -> Verdict.AGAIN; // lock wait timeout, deadlock
      case 1290, 1836, 1792 -> Verdict.UNKNOWN; // read-only, as a replica is
      case 1044, 1045, 1142, 1143, 1227 -> Verdict.DENIED;
      case 1021, 1114 -> Verdict.FULL;
      case 1146 -> Verdict.NO_TABLE;
      default -> null;
    };
  }
}

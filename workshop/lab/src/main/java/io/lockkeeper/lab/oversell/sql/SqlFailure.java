package io.lockkeeper.lab.oversell.sql;

import io.lockkeeper.console.Secrets;
import java.sql.SQLException;
import java.util.Optional;

/** A database refused a statement, or did not answer. */
public final class SqlFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The number that MariaDB's driver puts before a message, so that no two would be alike. */
  private static final String CONNECTION_NUMBER = "^\\(conn=\\d+\\) ";

  private static final int MYSQL_LOCK_WAIT_TIMEOUT = 1205;
  private static final int MARIADB_CHANGED_SINCE_LAST_READ = 1020;
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_PRIMARY_CODE = 0xff;

  private final String sqlState;
  private final int code;
  private final boolean fromSqlite;

  SqlFailure(SQLException cause) {
    super(Secrets.messageOf(cause).replaceFirst(CONNECTION_NUMBER, ""), cause);
    this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
    this.code = cause.getErrorCode();
    this.fromSqlite = cause.getClass().getName().startsWith("org.sqlite.");
  }

  /** Returns whether a row of this key is there already. */
  public boolean isDuplicate() {
    return sqlState.equals("23505") || sqlState.equals("23000") || sqlState.equals("1062");
  }

  /**
   * Returns in a few words how transactions got in each other's way, or nothing if it is another
   * failure.
   */
  public Optional<String> conflict() {
    if (fromSqlite) {
      return (code & SQLITE_PRIMARY_CODE) == SQLITE_BUSY
          ? Optional.of("the database was locked for too long")
          : Optional.empty();
    }
    if (code == MYSQL_LOCK_WAIT_TIMEOUT) {
      return Optional.of("lock wait timeout");
    }
    if (code == MARIADB_CHANGED_SINCE_LAST_READ) {
      return Optional.of("the row changed since it was read");
    }
    return switch (sqlState) {
      case "40P01" -> Optional.of("deadlock");
      case "40001" -> Optional.of("deadlock or serialization failure");
      case "55P03" -> Optional.of("lock wait timeout");
      default -> Optional.empty();
    };
  }
}

package io.lockkeeper.jdbc;

import java.sql.SQLException;

/** A server, or a connection, that takes no changes. */
final class ReadOnlyException extends SQLException {

  private static final long serialVersionUID = 1L;

  ReadOnlyException(SQLException cause) {
    super(text(cause), cause.getSQLState(), cause.getErrorCode(), cause);
  }

  /** Returns what to say of it. */
  static String text(SQLException cause) {
    return "the server is read-only, as a replica or a former primary is, or the connection is;"
        + " connect to the primary, without readOnly=true ("
        + cause.getMessage()
        + ")";
  }
}

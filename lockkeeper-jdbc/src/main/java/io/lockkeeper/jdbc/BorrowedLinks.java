package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the application's {@link DataSource}, taken for a moment and left as found.
 */
final class BorrowedLinks implements Connections {

  /** The remedy where the connections are all in use. */
  static final String ADVICE =
      "If its connections are in use by transactions that wait for a lock, while the lock's holder"
          + " needs one to release it: give Lockkeeper a data source of its own, and unlock after"
          + " the commit";

  private final DataSource source;
  private final Dialect dialect;
  private final @Nullable String beforeBegin;
  private final int timeoutMillis;
  private final boolean sendsJoined;

  /**
   * Creates it.
   *
   * @param level the isolation level of the connections
   * @param sendsJoined whether statements with a semicolon between them go to the server at once
   */
  BorrowedLinks(
      DataSource source, Dialect dialect, int level, int timeoutMillis, boolean sendsJoined) {
    this.source = source;
    this.dialect = dialect;
    this.beforeBegin = dialect.beforeBegin(level);
    this.timeoutMillis = timeoutMillis;
    this.sendsJoined = sendsJoined;
  }

  @Override
  public Link take() throws SQLException {
    Connection connection;
    try {
      connection = source.getConnection();
    } catch (SQLException e) {
      throw new SQLTransientConnectionException(
          "the data source gives no connection (" + e.getMessage() + "). " + ADVICE,
          e.getSQLState(),
          e);
    }
    try {
      boolean auto = connection.getAutoCommit();
      if (!auto) {
        connection.setAutoCommit(true);
      }
      Link link = new Link(connection, dialect, false, beforeBegin, null, sendsJoined);
      link.restoreAutoCommit(auto);
      link.limit(timeoutMillis);
      return link;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public void giveBack(Link link, boolean broken) {
    try {
      try {
        link.restore();
      } catch (SQLException | RuntimeException e) {
        link.connection().abort(Runnable::run); // a transaction may be open
        throw e;
      } finally {
        link.connection().close();
      }
    } catch (SQLException | RuntimeException ignored) {
      // A pool notices a broken connection by itself; nothing depends on this one.
    }
  }

  @Override
  public void close() {}
}

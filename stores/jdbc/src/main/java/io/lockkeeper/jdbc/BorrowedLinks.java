package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

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
  private final int timeoutMillis;
  private final WireFeatures wire;

  BorrowedLinks(DataSource source, Dialect dialect, int timeoutMillis, WireFeatures wire) {
    this.source = source;
    this.dialect = dialect;
    this.timeoutMillis = timeoutMillis;
    this.wire = wire;
  }

  /** The names that pools give the method for their largest number of connections. */
  private static final List<String> SIZES =
      List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

  /** Returns whether a data source says that it is a pool with a single connection. */
  static boolean hasOnlyOne(DataSource source) {
    for (String name : SIZES) {
      try {
        return Objects.equals(source.getClass().getMethod(name).invoke(source), 1);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        // it does not say so by this name
      }
    }
    return false;
  }

  @Override
  public SqlLink take() throws SQLException {
    Connection connection;
    try {
      connection = source.getConnection();
    } catch (SQLException e) {
      throw new SQLTransientConnectionException(
          "the data source gives no connection (" + e.getMessage() + "). " + ADVICE,
          e.getSQLState(),
          e);
    }
    boolean isReady = false;
    try {
      SqlLink link = new SqlLink(connection, dialect, false, dialect.beforeBegin(), null, wire);
      link.restoreAutoCommit(dialect.settle(connection));
      link.limit(timeoutMillis);
      link.nameNothing();
      isReady = true;
      return link;
    } finally {
      if (!isReady) {
        abandon(connection);
      }
    }
  }

  @Override
  public void giveBack(SqlLink link, boolean broken) {
    if (broken) {
      abandon(link.connection()); // it may seem to be good, and lead to a server that is read-only
      return;
    }
    try {
      link.restore();
      link.connection().close();
    } catch (SQLException | RuntimeException | Error e) {
      abandon(link.connection()); // a transaction may be open
    }
  }

  /** Closes a connection so that a pool makes a new one in its place. */
  static void abandon(Connection connection) {
    try {
      try {
        connection.abort(Runnable::run);
        letThePoolNotice(connection);
      } finally {
        connection.close();
      }
    } catch (SQLException | RuntimeException ignored) {
      // A pool notices a broken connection by itself; nothing depends on this one.
    }
  }

  /**
   * Uses a connection that was aborted. A pool gives up a connection that fails; one that was only
   * aborted it may lend again, without another look at it.
   */
  private static void letThePoolNotice(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1");
    } catch (SQLException expected) {
      // that is what the pool is to see
    }
  }

  @Override
  public void close() {}
}

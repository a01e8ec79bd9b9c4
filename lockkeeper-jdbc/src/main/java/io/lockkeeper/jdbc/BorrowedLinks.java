package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the application's {@link DataSource}, taken for a moment and left as found.
 */
final class BorrowedLinks implements Links {

  private final DataSource source;
  private final Dialect dialect;
  private final @Nullable String beforeBegin;
  private final int timeoutMillis;

  /**
   * Creates it.
   *
   * @param level the isolation level of the connections
   */
  BorrowedLinks(DataSource source, Dialect dialect, int level, int timeoutMillis) {
    this.source = source;
    this.dialect = dialect;
    this.beforeBegin = dialect.beforeBegin(level);
    this.timeoutMillis = timeoutMillis;
  }

  @Override
  public Link take() throws SQLException {
    Connection connection = source.getConnection();
    try {
      boolean auto = connection.getAutoCommit();
      if (!auto) {
        connection.setAutoCommit(true);
      }
      Link link = new Link(connection, dialect, false, beforeBegin);
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

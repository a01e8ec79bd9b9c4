package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The part of MySQL's driver beyond JDBC: what the server said of a session in its last answer.
 * Found by reflection, so that this library needs no driver.
 */
final class MySqlDriver {

  private static final int IN_TRANSACTION = 1;
  private static final int AUTO_COMMIT = 2;
  private static final int NO_BACKSLASH_ESCAPES = 512;

  private final int status;
  private final boolean escapes;

  private MySqlDriver(int status, boolean escapes) {
    this.status = status;
    this.escapes = escapes;
  }

  /** Returns that of a connection, which may be wrapped by a pool; null if it is another driver. */
  static @Nullable MySqlDriver of(Connection connection) throws SQLException {
    ClassLoader driver = connection.unwrap(Connection.class).getClass().getClassLoader();
    try {
      Class<?> type = Class.forName("com.mysql.cj.MysqlConnection", true, driver);
      if (!connection.isWrapperFor(type)) {
        return null;
      }
      Class<?> sessions = Class.forName("com.mysql.cj.Session", true, driver);
      Class<?> servers = Class.forName("com.mysql.cj.protocol.ServerSession", true, driver);
      Object session = type.getMethod("getSession").invoke(connection.unwrap(type));
      Object server = sessions.getMethod("getServerSession").invoke(session);
      return new MySqlDriver(
          (int) servers.getMethod("getStatusFlags").invoke(server),
          !(boolean) servers.getMethod("isNoBackslashEscapesSet").invoke(server));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  boolean isInTransaction() {
    return (status & IN_TRANSACTION) != 0;
  }

  boolean commitsEachStatement() {
    return (status & AUTO_COMMIT) != 0;
  }

  /** Returns whether the driver writes texts in the way in which the server reads them now. */
  boolean writesTextsRight() {
    return escapes == ((status & NO_BACKSLASH_ESCAPES) == 0);
  }
}

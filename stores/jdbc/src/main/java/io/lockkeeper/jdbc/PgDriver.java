package io.lockkeeper.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of PostgreSQL's driver beyond JDBC. Found by reflection, so that this library needs no
 * driver.
 */
final class PgDriver {

  /** How the driver is asked for what has arrived already. */
  private static final int WITHOUT_WAITING = -1;

  private final Class<?> type;
  private final Method getNotifications;
  private final Method getName;
  private final Method getParameter;
  private final Method getBackendPid;
  private final Method getPrepareThreshold;
  private final Method setPrepareThreshold;
  private final @Nullable Method getAutosave;

  private PgDriver(ClassLoader driver) throws ReflectiveOperationException {
    type = Class.forName("org.postgresql.PGConnection", true, driver);
    getNotifications = type.getMethod("getNotifications", int.class);
    Class<?> notification = Class.forName("org.postgresql.PGNotification", true, driver);
    getName = notification.getMethod("getName");
    getParameter = notification.getMethod("getParameter");
    getBackendPid = type.getMethod("getBackendPID");
    getPrepareThreshold = type.getMethod("getPrepareThreshold");
    setPrepareThreshold = type.getMethod("setPrepareThreshold", int.class);
    getAutosave = method(type, "getAutosave");
  }

  private static @Nullable Method method(Class<?> type, String name) {
    try {
      return type.getMethod(name);
    } catch (NoSuchMethodException older) {
      return null;
    }
  }

  /**
   * Returns that of a connection, which may be wrapped by a pool.
   *
   * @throws SQLException if it is not one of PostgreSQL's own driver
   */
  static PgDriver of(Connection connection) throws SQLException {
    ClassLoader driver = connection.unwrap(Connection.class).getClass().getClassLoader();
    try {
      PgDriver found = new PgDriver(driver);
      Object own = connection.unwrap(found.type);
      if (own instanceof Connection) {
        return found;
      }
      throw new SQLException("not a connection of PostgreSQL's own driver");
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new SQLException("not PostgreSQL's own driver", e);
    }
  }

  /** As {@link #of}; returns null if it is another driver. */
  static @Nullable PgDriver find(Connection connection) {
    try {
      return of(connection);
    } catch (SQLException | RuntimeException other) {
      return null;
    }
  }

  /** Returns the driver's own connection, behind what a pool has put around it. */
  Connection own(Connection connection) throws SQLException {
    return (Connection) connection.unwrap(type);
  }

  /**
   * Returns whether statements with a semicolon between them go to the server at once, the last of
   * which may be a commit. A driver that keeps savepoints of its own releases them after that; and
   * one that forces binary results (a threshold below 0) asks for those of one statement in the
   * number of columns of another, which the server refuses.
   */
  boolean sendsJoined(Connection connection) throws SQLException {
    return getAutosave != null
        && String.valueOf(call(getAutosave, connection)).equals("NEVER")
        && prepareThreshold(connection) >= 0;
  }

  /**
   * Returns whether the session is the one that was announced when this connection was made; a
   * pooler announces one of its own making.
   */
  boolean hasAnnouncedSession(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      return row.next() && row.getObject(1).equals(call(getBackendPid, connection));
    }
  }

  /**
   * Returns whether a name that the driver gives to a statement reaches the server as it is; a
   * pooler that tracks names gives it one of its own. Another client's statement may have the same
   * name in the session that the pooler gives to the next transaction, and would be executed.
   */
  boolean namesReachServer(Connection connection) throws SQLException {
    int found = prepareThreshold(connection);
    setPrepareThreshold(connection, 1);
    try (PreparedStatement statement =
            connection.prepareStatement(
                "select 1 from pg_prepared_statements where name ~ '^S_[0-9]+$' limit 1");
        ResultSet row = statement.executeQuery()) {
      return row.next();
    } finally {
      setPrepareThreshold(connection, found);
    }
  }

  /** Returns how often the driver executes a statement before it gives it a name at the server. */
  int prepareThreshold(Connection connection) throws SQLException {
    return (Integer) call(getPrepareThreshold, connection);
  }

  /** Sets {@link #prepareThreshold}; 0 for never. */
  void setPrepareThreshold(Connection connection, int executions) throws SQLException {
    call(setPrepareThreshold, connection, executions);
  }

  /**
   * Waits until something is notified, or the time is up; returns the texts of what was notified on
   * a channel. What came on another channel is for somebody else, who had this session before.
   */
  List<String> await(Connection connection, String channel, int timeoutMillis) throws SQLException {
    List<String> texts = new ArrayList<>();
    Object[] notified = (Object[]) call(getNotifications, connection, timeoutMillis);
    for (Object one : notified == null ? new Object[0] : notified) {
      if (channel.equals(invoke(getName, one))) {
        texts.add((String) invoke(getParameter, one));
      }
    }
    return texts;
  }

  /** Throws away what was notified: the driver keeps it until somebody asks for it. */
  void drain(Connection connection) throws SQLException {
    call(getNotifications, connection, WITHOUT_WAITING);
  }

  private Object call(Method method, Connection connection, Object... arguments)
      throws SQLException {
    return invoke(method, connection.unwrap(type), arguments);
  }

  @SuppressWarnings("NullAway") // what the methods return is what their callers expect
  private static Object invoke(Method method, Object target, Object... arguments)
      throws SQLException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException failure
          ? failure
          : new SQLException("PostgreSQL's driver failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new SQLException("PostgreSQL's driver is one that Lockkeeper does not know", e);
    }
  }
}

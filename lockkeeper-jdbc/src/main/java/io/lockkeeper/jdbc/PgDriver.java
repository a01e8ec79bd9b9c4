package io.lockkeeper.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of PostgreSQL's driver beyond JDBC, of one connection. Found by reflection, so that this
 * library needs no driver.
 */
final class PgDriver {

  private static final String CONNECTION = "org.postgresql.PGConnection";
  private static final String NOTIFICATION = "org.postgresql.PGNotification";

  private final Object connection;
  private final Method getNotifications;
  private final Method getParameter;

  private PgDriver(Object connection, Method getNotifications, Method getParameter) {
    this.connection = connection;
    this.getNotifications = getNotifications;
    this.getParameter = getParameter;
  }

  /**
   * Returns those of a connection, which may be wrapped by a pool.
   *
   * @throws SQLException if it is not one of PostgreSQL's own driver
   */
  static PgDriver of(Connection connection) throws SQLException {
    ClassLoader driver = connection.unwrap(Connection.class).getClass().getClassLoader();
    try {
      Class<?> type = Class.forName(CONNECTION, true, driver);
      return new PgDriver(
          connection.unwrap(type),
          type.getMethod("getNotifications", int.class),
          Class.forName(NOTIFICATION, true, driver).getMethod("getParameter"));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new SQLException("the driver cannot tell what PostgreSQL notifies", e);
    }
  }

  /**
   * Returns whether statements with a semicolon between them go to the server at once, the last of
   * which may be a commit. A driver that keeps savepoints of its own releases them after that.
   */
  static boolean sendsJoined(Connection connection) {
    try {
      Object own = of(connection).connection;
      Object autosave =
          Class.forName(CONNECTION, true, own.getClass().getClassLoader())
              .getMethod("getAutosave")
              .invoke(own);
      return String.valueOf(autosave).equals("NEVER");
    } catch (SQLException | ReflectiveOperationException | LinkageError | RuntimeException e) {
      return false;
    }
  }

  /** Waits until something is notified, or the time is up; returns what was. */
  List<String> await(int timeoutMillis) throws SQLException {
    List<String> texts = new ArrayList<>();
    try {
      Object[] notified = (Object[]) getNotifications.invoke(connection, timeoutMillis);
      for (Object one : notified == null ? new Object[0] : notified) {
        texts.add((String) getParameter.invoke(one));
      }
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException failure
          ? failure
          : new SQLException("cannot hear what PostgreSQL notifies", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new SQLException("cannot hear what PostgreSQL notifies", e);
    }
    return texts;
  }
}

package io.lockkeeper.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source that lets a test see, and meddle with, what is sent over its connections. */
abstract class FollowedSource implements DataSource {

  private final DataSource source;

  FollowedSource(DataSource source) {
    this.source = source;
  }

  /** Sends something, and returns what the driver returns. */
  @FunctionalInterface
  interface Sending {
    Object send() throws Throwable;
  }

  /** Stands between a connection and who uses it. */
  abstract static class Follower {

    /**
     * Sends a statement, or {@code commit}, {@code rollback}, or {@code begin}.
     *
     * @param sql the statement, without the schema of its tables
     */
    abstract Object around(String sql, Sending sending) throws Throwable;

    /** Returns what is prepared in place of a statement. */
    String rewritten(String sql) {
      return sql;
    }

    /** Returns whether the connection seems to be closed, whatever it is in truth. */
    boolean isBroken() {
      return false;
    }

    void close(Connection connection) throws SQLException {
      connection.close();
    }
  }

  abstract Follower follow(Connection connection);

  /** Returns a connection to follow. */
  Connection open() throws SQLException {
    return source.getConnection();
  }

  @Override
  public final Connection getConnection() throws SQLException {
    Connection connection = open();
    Follower follower = follow(connection);
    return proxy(
        Connection.class,
        follower,
        (method, arguments) ->
            switch (method.getName()) {
              case "setAutoCommit" ->
                  arguments[0].equals(false)
                      ? follower.around("begin", () -> invoke(connection, method, arguments))
                      : invoke(connection, method, arguments);
              case "commit", "rollback" ->
                  follower.around(method.getName(), () -> invoke(connection, method, arguments));
              case "prepareStatement" -> {
                String sql = (String) arguments[0];
                arguments[0] = follower.rewritten(sql);
                yield followed(
                    PreparedStatement.class,
                    invoke(connection, method, arguments),
                    follower,
                    sql.replaceAll("[\"`]\\w+[\"`]\\.(?=lockkeeper_)", ""));
              }
              case "createStatement" ->
                  followed(Statement.class, invoke(connection, method, arguments), follower, "");
              case "close" -> {
                follower.close(connection);
                yield null;
              }
              default -> invoke(connection, method, arguments);
            });
  }

  private static <T> T followed(Class<T> type, Object statement, Follower follower, String sql) {
    return proxy(
        type,
        follower,
        (method, arguments) ->
            method.getName().startsWith("execute")
                ? follower.around(
                    sql.isEmpty() ? (String) arguments[0] : sql,
                    () -> invoke(statement, method, arguments))
                : invoke(statement, method, arguments));
  }

  @FunctionalInterface
  private interface Handler {
    Object handle(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Follower follower, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            FollowedSource.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (!follower.isBroken()) {
                return handler.handle(method, arguments);
              }
              return switch (method.getName()) {
                case "isClosed" -> true;
                case "close" -> null;
                default -> throw broken();
              };
            }));
  }

  /** Returns what a driver throws whose connection is gone. */
  static SQLException broken() {
    return new SQLNonTransientConnectionException("the connection is broken", "08006");
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}

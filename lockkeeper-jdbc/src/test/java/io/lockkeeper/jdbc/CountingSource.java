package io.lockkeeper.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source that writes down the statements and transactions that are sent through it. */
final class CountingSource implements DataSource {

  private static final Set<String> ENDS = Set.of("commit", "rollback");

  private final DataSource source;

  /** Statements outside of a transaction, and ends of transactions. */
  final List<String> transactions = new CopyOnWriteArrayList<>();

  final List<String> statements = new CopyOnWriteArrayList<>();

  CountingSource(DataSource source) {
    this.source = source;
  }

  void forget() {
    transactions.clear();
    statements.clear();
  }

  @Override
  public Connection getConnection() throws SQLException {
    return counted(source.getConnection());
  }

  /** Follows one connection. */
  private final class Follower {

    private boolean inTransaction;

    void sent(String sql) {
      if (sql.startsWith("begin") || sql.startsWith("start")) {
        inTransaction = true;
      } else if (ENDS.contains(sql)) {
        ended(sql);
      } else {
        statements.add(sql);
        if (!inTransaction && !sql.startsWith("set ")) {
          transactions.add(sql);
        }
      }
    }

    void ended(String how) {
      inTransaction = false;
      transactions.add(how);
    }
  }

  private Connection counted(Connection connection) {
    Follower follower = new Follower();
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = invoke(connection, method, arguments);
          switch (method.getName()) {
            case "setAutoCommit" -> follower.inTransaction = arguments[0].equals(false);
            case "commit", "rollback" -> follower.ended(method.getName());
            case "prepareStatement" ->
                result = counted((PreparedStatement) result, (String) arguments[0], follower);
            case "createStatement" -> result = counted((Statement) result, follower);
            default -> {}
          }
          return result;
        });
  }

  private static PreparedStatement counted(
      PreparedStatement statement, String sql, Follower follower) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            follower.sent(sql);
          }
          return invoke(statement, method, arguments);
        });
  }

  private static Statement counted(Statement statement, Follower follower) {
    return proxy(
        Statement.class,
        (method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            follower.sent((String) arguments[0]);
          }
          return invoke(statement, method, arguments);
        });
  }

  @FunctionalInterface
  private interface Handler {
    Object handle(java.lang.reflect.Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            CountingSource.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> handler.handle(method, arguments)));
  }

  private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
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

package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection while it is this library's: for good, or from the taking out of a pool until it is
 * put back.
 *
 * <p>On one of its own it keeps statements prepared; a pool's connections leave that to the driver.
 */
final class SqlLink {

  /**
   * The most statements that are kept prepared: the steps have far fewer, but joined ones may be
   * many.
   */
  private static final int MOST_KEPT = 256;

  private final Connection connection;
  private final Dialect dialect;
  private final boolean keepsStatements;
  private final @Nullable String beforeBegin;
  private final @Nullable StoreFile file;
  private final WireFeatures wire;

  /** Those used last, at most {@link #MOST_KEPT}, the longest unused first. */
  private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

  private boolean begun;

  /** Whether the statement that goes ahead in a transaction is to be sent with the first one. */
  private boolean isBeginDue;

  private boolean autoCommit = true;
  private int foundTimeoutMillis = -1;
  private int foundThreshold = -1;

  SqlLink(
      Connection connection,
      Dialect dialect,
      boolean keepsStatements,
      @Nullable String beforeBegin,
      @Nullable StoreFile file,
      WireFeatures wire) {
    this.connection = connection;
    this.dialect = dialect;
    this.keepsStatements = keepsStatements;
    this.beforeBegin = beforeBegin;
    this.file = file;
    this.wire = wire;
  }

  Connection connection() {
    return connection;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Returns whether it leads to a file that is not in its place any more. */
  boolean isStale() {
    return file != null && file.isReplaced();
  }

  /** Returns whether statements with a semicolon between them go to the server at once. */
  boolean sendsJoined() {
    return wire.sendsJoined;
  }

  /** Limits how long the driver waits for a server that says nothing, if it can. */
  void limit(int timeoutMillis) throws SQLException {
    try {
      foundTimeoutMillis = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, timeoutMillis);
    } catch (SQLFeatureNotSupportedException | AbstractMethodError none) {
      foundTimeoutMillis = -1;
    }
  }

  /**
   * Makes the driver give statements no names at the server, where a session may know other
   * statements by them.
   */
  void nameNothing() throws SQLException {
    PgDriver driver = wire.driver;
    if (driver != null && wire.sharesSessions()) {
      if (foundThreshold < 0) {
        foundThreshold = driver.prepareThreshold(connection);
      }
      driver.setPrepareThreshold(connection, 0);
    }
  }

  /**
   * Learns from an error: who meets a name of a statement that another client has given, or not its
   * own, has a session that is shared.
   */
  void learn(Throwable error) {
    if (error instanceof SQLException failure && dialect.isNameOfAnother(failure)) {
      wire.shareSessions(true);
      try {
        nameNothing();
      } catch (SQLException broken) {
        // the next statement says so
      }
    }
  }

  /** Throws away what was notified on this connection, which is not the one to listen on. */
  void drain() throws SQLException {
    wire.drain(connection);
  }

  /** Makes {@link #restore} set this mode again. */
  void restoreAutoCommit(boolean found) {
    autoCommit = found;
  }

  /** Leaves the connection as it was found. */
  void restore() throws SQLException {
    rollback();
    if (!autoCommit) {
      connection.setAutoCommit(false);
    }
    if (foundTimeoutMillis >= 0) {
      connection.setNetworkTimeout(Runnable::run, foundTimeoutMillis);
    }
    PgDriver driver = wire.driver;
    if (driver != null && foundThreshold >= 0) {
      driver.setPrepareThreshold(connection, foundThreshold);
    }
  }

  /** Returns a statement; {@link #done} must follow. */
  PreparedStatement prepare(String sql) throws SQLException {
    sendBegin();
    if (!begun && beforeBegin != null && sql.startsWith("select")) {
      execute(beforeBegin);
    }
    PreparedStatement kept = statements.get(sql);
    return kept == null ? keep(sql, connection.prepareStatement(dialect.qualified(sql))) : kept;
  }

  /** Returns a statement that gives out a generated key; {@link #done} must follow. */
  PreparedStatement prepareWithKey(String sql) throws SQLException {
    sendBegin();
    PreparedStatement kept = statements.get(sql);
    return kept == null
        ? keep(
            sql,
            connection.prepareStatement(dialect.qualified(sql), Statement.RETURN_GENERATED_KEYS))
        : kept;
  }

  /** Returns statements that are sent at once; {@link #done} must follow. */
  PreparedStatement prepareJoined(String sql) throws SQLException {
    String ahead = dialect.begin == null ? dialect.useIndexes : dialect.begin;
    String begin = isBeginDue && ahead != null ? ahead + "; " : "";
    isBeginDue = false;
    return prepare(begin + sql);
  }

  /** Returns whether the transaction begins with the next statement. */
  boolean isBeginDue() {
    return isBeginDue;
  }

  private void sendBegin() throws SQLException {
    boolean isDue = isBeginDue;
    isBeginDue = false;
    if (isDue && dialect.begin != null) {
      execute(dialect.begin);
    }
  }

  private PreparedStatement keep(String sql, PreparedStatement made) throws SQLException {
    if (keepsStatements) {
      dropOldest();
      statements.put(sql, made);
    }
    return made;
  }

  private void dropOldest() throws SQLException {
    if (statements.size() >= MOST_KEPT) {
      Iterator<PreparedStatement> oldest = statements.values().iterator();
      PreparedStatement dropped = oldest.next();
      oldest.remove();
      dropped.close();
    }
  }

  /** Ends the use of a statement. */
  void done(PreparedStatement statement) throws SQLException {
    if (!keepsStatements) {
      statement.close();
    }
  }

  /** Closes the kept statements: one that failed may still hold what it has seen. */
  void forgetStatements() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  /** Begins a transaction; before that, each statement is one of its own. */
  void begin() throws SQLException {
    if (dialect.begin == null) {
      begun = true;
      connection.setAutoCommit(false);
      isBeginDue = wire.sendsJoined;
      return;
    }
    if (beforeBegin != null) {
      execute(beforeBegin);
    }
    if (wire.sendsJoined) {
      isBeginDue = true;
    } else {
      execute(dialect.begin);
    }
    begun = true;
  }

  void commit() throws SQLException {
    if (dialect.begin != null && !isBeginDue) {
      execute("commit");
    }
    committed();
  }

  /** Ends a transaction that a statement has committed. */
  void committed() throws SQLException {
    if (dialect.begin == null) {
      connection.commit(); // sends nothing if there is no transaction
      connection.setAutoCommit(true);
    }
    isBeginDue = false;
    begun = false;
  }

  /** Undoes the transaction under way, if there is one. */
  void rollback() throws SQLException {
    if (!begun) {
      return;
    }
    begun = false;
    if (dialect.begin == null) {
      connection.rollback();
      connection.setAutoCommit(true);
    } else if (!isBeginDue) {
      execute("rollback");
    }
    isBeginDue = false;
  }

  private void execute(String sql) throws SQLException {
    if (keepsStatements) {
      prepare(sql).execute();
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

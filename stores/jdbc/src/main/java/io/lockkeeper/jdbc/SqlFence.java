package io.lockkeeper.jdbc;

import io.lockkeeper.Lease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Objects;

/**
 * A fence in a database: it keeps out what a holder writes whose lease has ended, and whose lock
 * somebody else has used since. The lock may be on any store; the fence is a table in the database
 * that is written to.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * fence.check(connection, lease);
 * ... // reads and writes
 * connection.commit();
 * }</pre>
 *
 * <p><b>Check first.</b> The check is the first statement of the transaction, before anything is
 * read that decides what is written. It writes the token down and keeps its row locked until the
 * transaction ends. So of two holders either the earlier one has committed before the later one's
 * check returns, and the later one reads what it wrote; or the later one was first, and the earlier
 * one is refused. A check at the end would let a late write come between the later holder's read
 * and its write.
 *
 * <p>If an earlier holder is frozen in the middle of its transaction, the later one's check waits
 * until the database ends that: set how long a transaction may be idle ({@code
 * idle_in_transaction_session_timeout} in PostgreSQL), or a lock may be waited for. In a
 * transaction with a snapshot (REPEATABLE READ in PostgreSQL) the database may refuse the check
 * with a serialization failure; run the transaction again.
 *
 * <p>On PostgreSQL, MySQL, MariaDB, SQLite and H2. The table is {@code lockkeeper_fence}, beside
 * the data that it guards: in the schema that the connection is in at the time of the check (the
 * {@code search_path} on PostgreSQL, the current database on MySQL and MariaDB), as is that data.
 * Where the application changes the schema of its connections, each schema has a table and so a
 * fence of its own; have the path lead to one and the same table if the data is the same. {@link
 * #ddl} is for a migration tool, {@link #createTable} creates the table. It has a row for each
 * resource, which stays. Its statements need the rights to select, insert and update.
 *
 * <p>Immutable and thread-safe.
 */
public final class SqlFence {

  private static final SqlFence DEFAULT = new SqlFence("lockkeeper");

  private static final String KEY = " where namespace = ? and kind = ? and name = ?";

  private final String namespace;

  private SqlFence(String namespace) {
    this.namespace = namespace;
  }

  /** Returns the fence for the locks of clients that set no namespace. */
  public static SqlFence create() {
    return DEFAULT;
  }

  /**
   * Returns the fence for the locks of a namespace: that of the client that acquires them. Tokens
   * of different namespaces, and of different stores, have nothing to do with each other; give the
   * latter different namespaces here.
   */
  public SqlFence withNamespace(String namespace) {
    return new SqlFence(Objects.requireNonNull(namespace, "namespace"));
  }

  /**
   * Writes the token of a lease down, in the connection's current transaction, and refuses it if a
   * later holder's is there. Writing again with the same lease is allowed.
   *
   * @param lease of a lock, a term of office, or the write lock of a read-write lock
   * @throws StaleTokenException if a later holder has written: roll the transaction back
   * @throws IllegalStateException if the connection commits each statement by itself
   * @throws IllegalArgumentException if the lease is a part of what several hold at a time, whose
   *     tokens say nothing about who comes later
   * @throws SQLException if the database fails
   */
  public void check(Connection connection, Lease lease) throws SQLException {
    if (!lease.isExclusive()) {
      throw new IllegalArgumentException(
          lease
              + " is a part of what several hold at a time: its token fences nobody off; of a"
              + " read-write lock, use the write lock");
    }
    check(connection, lease.kind(), lease.name(), lease.token());
  }

  /**
   * As {@link #check(Connection, Lease)}, with a token by itself: of one lock of a multi-lock, or
   * of a lease that another process has.
   *
   * @param kind the resource's kind
   * @param name the resource's name
   * @throws StaleTokenException if a later holder has written: roll the transaction back
   * @throws IllegalStateException if the connection commits each statement by itself
   * @throws IllegalArgumentException if resources of this kind have several holders at a time
   * @throws SQLException if the database fails
   */
  public void check(Connection connection, ResourceKind kind, String name, long token)
      throws SQLException {
    Objects.requireNonNull(name, "name");
    if (!kind.isExclusive() && kind != ResourceKind.READ_WRITE_LOCK) {
      throw new IllegalArgumentException(
          "a " + kind + " has several holders at a time: its tokens fence nobody off");
    }
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "a check counts until the end of its transaction, and this connection commits each"
              + " statement by itself");
    }
    Dialect dialect = dialect(connection);
    try (PreparedStatement statement = connection.prepareStatement(dialect.writeToken())) {
      setKey(statement, dialect, kind, name);
      statement.setLong(4, token);
      if (dialect instanceof MySqlDialect) {
        statement.setLong(5, token);
      }
      // 2 is MySQL's count for a row that was there and is now another; what its 0 and 1 mean
      // depends on the driver.
      if (write(statement, dialect) == (dialect instanceof MySqlDialect ? 2 : 1)) {
        return;
      }
    }
    long largest = largest(connection, dialect, kind, name);
    if (largest > token) {
      throw new StaleTokenException(kind, name, token, largest);
    }
  }

  private static int write(PreparedStatement statement, Dialect dialect) throws SQLException {
    try {
      return statement.executeUpdate();
    } catch (SQLException e) {
      if (dialect instanceof H2Dialect && dialect.isViolation(e)) {
        return statement.executeUpdate(); // it has waited for the one that made the row
      }
      throw e;
    }
  }

  private long largest(Connection connection, Dialect dialect, ResourceKind kind, String name)
      throws SQLException {
    String select = "select token from lockkeeper_fence" + KEY + dialect.forUpdate;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      setKey(statement, dialect, kind, name);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("the row of " + kind + " '" + name + "' is gone");
        }
        return rows.getLong(1);
      }
    }
  }

  private void setKey(PreparedStatement statement, Dialect dialect, ResourceKind kind, String name)
      throws SQLException {
    dialect.setText(statement, 1, namespace);
    statement.setString(2, kind.name().toLowerCase(Locale.ROOT));
    dialect.setText(statement, 3, name);
  }

  /**
   * Returns the statement that creates the table in this connection's database, if it is not there.
   *
   * @throws SQLException if the database is none of those that are supported
   */
  public static String ddl(Connection connection) throws SQLException {
    String text = Schema.read("fence", dialect(connection).folder + ".sql");
    return text.substring(text.indexOf("create table"), text.lastIndexOf(';'));
  }

  /**
   * Creates the table if it is not there. MySQL and MariaDB commit the current transaction then.
   *
   * @throws SQLException if the account may not, or the database is none of those that are
   *     supported
   */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(ddl(connection));
    }
  }

  private static Dialect dialect(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return SqlOpener.dialectOf(product)
        .orElseThrow(
            () ->
                new SQLFeatureNotSupportedException(
                    "no fence for "
                        + product
                        + "; there are fences for PostgreSQL, MySQL, MariaDB, SQLite and H2"));
  }

  @Override
  public String toString() {
    return "SqlFence[" + namespace + "]";
  }
}

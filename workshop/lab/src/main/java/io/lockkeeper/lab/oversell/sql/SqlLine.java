package io.lockkeeper.lab.oversell.sql;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.pool.Pool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A client of a database with a pool of connections, shared by all threads of the process. */
public final class SqlLine implements AutoCloseable {

  /** What to do with a connection. */
  public interface Work<T> {
    /** Does it. */
    T with(Connection connection) throws SQLException;
  }

  private final SqlDialect dialect;
  private final Pool<Connection> pool;

  private SqlLine(String url) {
    this.dialect = SqlDialect.of(url);
    this.pool = new Pool<>(Pool.USUAL_SIZE, () -> open(url), SqlLine::close);
  }

  /**
   * Checks that it can connect to such a URL, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    SqlDialect.of(url);
    try {
      DriverManager.getDriver(SqlAddress.of(url));
    } catch (SQLException e) {
      throw new IllegalArgumentException(
          "needs a JDBC driver that is not here; with MariaDB's, which is here, MySQL is"
              + " jdbc:mariadb:, or jdbc:mysql: with the parameter permitMysqlScheme",
          e);
    }
  }

  /**
   * Connects.
   *
   * @throws CannotRunException if the database is out of reach or refuses the client
   */
  public static SqlLine connect(String url) {
    SqlLine line = new SqlLine(url);
    try {
      line.alone(connection -> connection.isValid(0));
      return line;
    } catch (SqlFailure e) {
      throw new CannotRunException(
          "cannot connect to "
              + Secrets.hide(url)
              + " ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "); start the database there, or correct --store",
          e);
    }
  }

  private Connection open(String url) {
    try {
      return DriverManager.getConnection(SqlAddress.of(url), dialect.properties());
    } catch (SQLException e) {
      throw new SqlFailure(e);
    }
  }

  /** Returns the kind of database. */
  public SqlDialect dialect() {
    return dialect;
  }

  /** Returns the server's kind and version. */
  public String server() {
    return alone(SqlDialect::server);
  }

  /** Does something of which each statement is a transaction. */
  public <T> T alone(Work<T> work) {
    return with(true, work);
  }

  /** Does something in one transaction. */
  public <T> T inTransaction(Work<T> work) {
    return with(false, work);
  }

  private <T> T with(boolean autoCommit, Work<T> work) {
    Connection connection = pool.take();
    boolean usable = false;
    try {
      T result = run(connection, autoCommit, work);
      usable = true;
      return result;
    } catch (SQLException e) {
      usable = rollBack(connection, autoCommit);
      throw new SqlFailure(e);
    } finally {
      if (usable) {
        pool.giveBack(connection);
      } else {
        pool.discard(connection);
      }
    }
  }

  private <T> T run(Connection connection, boolean autoCommit, Work<T> work) throws SQLException {
    if (autoCommit) {
      return work.with(connection);
    }
    dialect.begin(connection);
    T result = work.with(connection);
    dialect.commit(connection);
    return result;
  }

  private boolean rollBack(Connection connection, boolean autoCommit) {
    try {
      if (!autoCommit) {
        dialect.rollBack(connection);
      }
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // it is not needed any more
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}

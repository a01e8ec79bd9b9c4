package io.lockkeeper.bench.locks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Connections to a database for libraries that want a pool, with the pool's default settings. */
final class Databases {

  private Databases() {}

  /** Opens a pool, and makes a table if it is not there. */
  static HikariDataSource open(String url, String table) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          isMariaDb(url) ? "select get_lock('bench', 60)" : "select pg_advisory_lock(1)");
      // Two processes may begin at once.
      statement.execute("create table if not exists " + table);
      statement.execute(
          isMariaDb(url) ? "select release_lock('bench')" : "select pg_advisory_unlock(1)");
    } catch (SQLException e) {
      pool.close();
      throw new IllegalStateException(e);
    }
    return pool;
  }

  /** Returns the type of a column for a moment, as the makers of the libraries have it. */
  static String moment(String url) {
    return isMariaDb(url) ? "datetime(6)" : "timestamp";
  }

  static boolean isMariaDb(String url) {
    return url.startsWith("jdbc:mariadb:");
  }
}

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
      statement.execute("select pg_advisory_lock(1)"); // two processes may begin at once
      statement.execute("create table if not exists " + table);
      statement.execute("select pg_advisory_unlock(1)");
    } catch (SQLException e) {
      pool.close();
      throw new IllegalStateException(e);
    }
    return pool;
  }
}

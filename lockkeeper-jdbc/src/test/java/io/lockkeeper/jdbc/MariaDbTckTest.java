package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.TckStore;

class MariaDbTckTest extends JdbcTck {

  @Override
  TckStore database() {
    return new JdbcTckStore(
        new MySqlDialect(),
        Databases.mariaDb().jdbcUrl(),
        "jdbc:mariadb://127.0.0.1:1/app?user=app&password=s3cret");
  }
}

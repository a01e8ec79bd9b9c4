package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.TckStore;

class PostgresTckTest extends JdbcTck {

  @Override
  TckStore database() {
    return new JdbcTckStore(
        new PostgreSqlDialect(),
        Databases.postgres().jdbcUrl(),
        "jdbc:postgresql://127.0.0.1:1/app?user=app&password=s3cret");
  }
}

package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.TckStore;

class SqliteTckTest extends JdbcTck {

  @Override
  TckStore database() {
    return new JdbcTckStore(new SqliteDialect(), Databases.sqlite("tck"), null);
  }
}

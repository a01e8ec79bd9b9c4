package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class PostgresStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(Databases.installedPostgres().jdbcUrl());
  }
}

package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class PostgresStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return JdbcStores.from(Databases.pool(Databases.installedPostgres().jdbcUrl()));
  }
}

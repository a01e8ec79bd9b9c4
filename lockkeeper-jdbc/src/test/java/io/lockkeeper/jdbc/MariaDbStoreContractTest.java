package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class MariaDbStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(Databases.mariaDb().jdbcUrl());
  }
}

package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class MySqlStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(Databases.mySqlUrl());
  }
}

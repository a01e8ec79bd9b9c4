package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class SqliteStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return patient(Databases.sqlite("contract"));
  }
}

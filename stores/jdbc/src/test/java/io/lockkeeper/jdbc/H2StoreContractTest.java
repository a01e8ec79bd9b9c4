package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;

class H2StoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(Databases.h2("contract"));
  }
}

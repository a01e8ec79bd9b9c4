package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class MySqlStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return new JdbcStoreProvider().factory(Databases.mySqlUrl());
  }
}

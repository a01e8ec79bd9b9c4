package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MySqlStoreContractTest extends JdbcStoreContract {

  /** Where it does not run the class is skipped, and not each test after a start of its own. */
  @BeforeAll
  static void needsMySql() {
    Object unused = Databases.mySqlUrl();
  }

  @Override
  protected StoreFactory factory() {
    return patient(Databases.mySqlUrl());
  }
}

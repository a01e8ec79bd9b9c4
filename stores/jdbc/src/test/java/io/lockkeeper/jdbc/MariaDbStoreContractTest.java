package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import org.junit.jupiter.api.BeforeAll;

class MariaDbStoreContractTest extends JdbcStoreContract {

  /** Where it does not run the class is skipped, and not each test after a start of its own. */
  @BeforeAll
  static void needsMariaDb() {
    Object unused = Databases.mariaDb();
  }

  @Override
  protected StoreFactory factory() {
    return patient(Databases.mariaDb().jdbcUrl());
  }
}

package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import org.junit.jupiter.api.Tag;

@Tag("full")
class H2StoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return patient(Databases.h2("contract"));
  }
}

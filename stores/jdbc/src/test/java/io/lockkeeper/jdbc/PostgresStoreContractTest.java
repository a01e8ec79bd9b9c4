package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return JdbcStores.from(Databases.pool(Databases.installedPostgres().jdbcUrl()));
  }
}

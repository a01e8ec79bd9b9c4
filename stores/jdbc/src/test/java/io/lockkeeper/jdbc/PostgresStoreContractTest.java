package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresStoreContractTest extends JdbcStoreContract {

  @Override
  protected StoreFactory factory() {
    return JdbcStores.from(Databases.pool(Databases.installedPostgres().jdbcUrl()))
        .withTimeout(Duration.ofMinutes(1));
  }
}

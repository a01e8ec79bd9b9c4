package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/** The kit on a third database, most of which is real waiting. */
@Tag("slow")
class MariaDbTckTest extends JdbcTck {

  @Override
  TckStore database() {
    return new JdbcTckStore(
        new MySqlDialect(),
        Databases.mariaDb().jdbcUrl(),
        "jdbc:mariadb://127.0.0.1:1/app?user=app&password=s3cret");
  }
}

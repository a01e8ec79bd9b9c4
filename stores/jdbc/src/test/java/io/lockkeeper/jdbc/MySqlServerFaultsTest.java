package io.lockkeeper.jdbc;

import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.SqlServer;
import org.junit.jupiter.api.Tag;

/** What goes wrong with a MySQL server; in the default build it goes wrong with PostgreSQL's. */
@Tag("slow")
class MySqlServerFaultsTest extends ServerFaultsTest {

  @Override
  SqlServer start() {
    Databases.require(MySqlServer.binaries());
    return MySqlServer.builder().durable().start();
  }
}

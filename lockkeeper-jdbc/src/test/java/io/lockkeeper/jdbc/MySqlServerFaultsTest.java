package io.lockkeeper.jdbc;

import io.lockkeeper.servers.MySqlServer;
import org.junit.jupiter.api.Tag;

/** What goes wrong with a MySQL server; in the default build it goes wrong with PostgreSQL's. */
@Tag("slow")
class MySqlServerFaultsTest extends ServerFaultsTest {

  MySqlServerFaultsTest() {
    super(MySqlServer.binaries(), MySqlServer.builder());
  }
}

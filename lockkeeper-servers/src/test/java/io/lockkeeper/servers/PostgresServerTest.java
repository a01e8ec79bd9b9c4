package io.lockkeeper.servers;

import java.util.List;

class PostgresServerTest extends SqlServerTests {

  PostgresServerTest() {
    super(PostgresServer.binaries());
  }

  @Override
  SqlServerBuilder<PostgresServer> builder() {
    return PostgresServer.builder();
  }

  @Override
  List<String> questions() {
    return List.of("show server_version", "show server_encoding");
  }
}

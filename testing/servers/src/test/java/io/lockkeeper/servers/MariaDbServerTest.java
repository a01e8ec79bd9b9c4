package io.lockkeeper.servers;

import java.util.List;

class MariaDbServerTest extends SqlServerTests {

  MariaDbServerTest() {
    super(MariaDbServer.binaries());
  }

  @Override
  SqlServerBuilder<MariaDbServer> builder() {
    return MariaDbServer.builder();
  }

  @Override
  List<String> questions() {
    return List.of("select version()", "select @@character_set_server");
  }
}

package io.lockkeeper.servers;

import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MySqlServerTest extends SqlServerTests {

  MySqlServerTest() {
    super(MySqlServer.binaries());
  }

  @Override
  SqlServerBuilder<MySqlServer> builder() {
    return MySqlServer.builder();
  }

  @Override
  List<String> questions() {
    return List.of("select version()", "select @@character_set_server");
  }
}

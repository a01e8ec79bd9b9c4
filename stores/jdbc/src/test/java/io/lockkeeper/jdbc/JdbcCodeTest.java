package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class JdbcCodeTest extends CodeRules {

  JdbcCodeTest() {
    super(JdbcStores.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        JdbcDoctor.class.getName(), "it compares the wall clock of this machine with the server's");
  }
}

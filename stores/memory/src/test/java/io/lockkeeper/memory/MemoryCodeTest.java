package io.lockkeeper.memory;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class MemoryCodeTest extends CodeRules {

  MemoryCodeTest() {
    super(MemoryServer.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        MemoryServer.class.getName(),
        "a server that all clients of the process share has the clock of none of them");
  }
}

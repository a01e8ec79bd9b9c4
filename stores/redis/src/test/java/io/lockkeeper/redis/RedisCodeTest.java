package io.lockkeeper.redis;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class RedisCodeTest extends CodeRules {

  RedisCodeTest() {
    super(RedisStores.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        Limits.class.getName(),
        "the client's clock may run ahead, and a server would be believed too early",
        RedisDoctor.class.getName(),
        "it compares the wall clock of this machine with the servers'");
  }
}

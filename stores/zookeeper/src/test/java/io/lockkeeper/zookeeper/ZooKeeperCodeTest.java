package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class ZooKeeperCodeTest extends CodeRules {

  ZooKeeperCodeTest() {
    super(ZooKeeperStoreProvider.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        ZooKeeperFactory.class.getName(),
        "the client's clock may run ahead, and a lease would be taken for over too early");
  }
}

package io.lockkeeper.etcd;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class EtcdCodeTest extends CodeRules {

  EtcdCodeTest() {
    super(EtcdStoreProvider.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        EtcdStores.class.getName(),
        "the client's clock may run ahead, and a lease would be taken for over too early");
  }

  /** It shows what the port for records leaves for a store to do. */
  @Override
  protected int mostLines() {
    return 1_500;
  }
}

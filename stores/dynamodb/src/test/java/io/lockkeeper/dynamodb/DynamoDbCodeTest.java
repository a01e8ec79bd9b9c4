package io.lockkeeper.dynamodb;

import io.lockkeeper.testkit.arch.CodeRules;
import java.util.Map;

class DynamoDbCodeTest extends CodeRules {

  DynamoDbCodeTest() {
    super(DynamoDbStoreProvider.class);
  }

  @Override
  protected Map<String, String> readersOfClocks() {
    return Map.of(
        DynamoDbStores.class.getName(),
        "the client's clock may run ahead, and a lease would be taken for over too early");
  }

  /** It shows what the port for records leaves for a store to do. */
  @Override
  protected int mostLines() {
    return 500;
  }
}

package io.lockkeeper.dynamodb;

import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.TokensTck;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A chapter for every build; {@link DynamoDbLockChaptersTest} has them all. */
@Execution(ExecutionMode.CONCURRENT)
class DynamoDbTokensTest extends TokensTck {

  @Override
  protected TckStore openStore() {
    return new DynamoDbTckStore(SharedServer.running());
  }
}

package io.lockkeeper.dynamodb;

import io.lockkeeper.testkit.tck.ExclusionTck;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A chapter for every build; {@link DynamoDbLockChaptersTest} has them all. */
@Execution(ExecutionMode.CONCURRENT)
class DynamoDbExclusionTest extends ExclusionTck {

  @Override
  protected TckStore openStore() {
    return new DynamoDbTckStore(SharedServer.running());
  }
}

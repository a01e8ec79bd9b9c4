package io.lockkeeper.dynamodb;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class DynamoDbLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new DynamoDbTckStore(SharedServer.running());
  }
}

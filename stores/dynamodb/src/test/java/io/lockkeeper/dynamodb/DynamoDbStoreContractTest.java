package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class DynamoDbStoreContractTest extends StoreContract {

  private final StoreFactory factory = process();

  private static StoreFactory process() {
    return DynamoDbStores.of(DynamoDbUrl.parse(SharedServer.running().url() + "&timeout=1m"));
  }

  @Override
  protected StoreFactory factory() {
    return factory;
  }

  @Override
  protected StoreFactory elsewhere() {
    return process();
  }

  @Override
  protected void advance(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}

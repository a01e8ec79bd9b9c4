package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("jdk25")
class MemoryStoreContractTest extends StoreContract {

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  @Override
  protected StoreFactory factory() {
    return server.factory();
  }

  @Override
  protected void advance(Duration passed) {
    time.advance(passed);
  }
}

package io.lockkeeper.examples.store;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;

class MapsStoreContractTest extends StoreContract {

  private final ManualTime time = new ManualTime();
  private final MapsServer server = new MapsServer("contract", time);

  @Override
  protected StoreFactory factory() {
    return server.factory();
  }

  @Override
  protected void advance(Duration passed) {
    time.advance(passed);
  }
}

package io.lockkeeper.examples.store;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.testkit.tck.store.RecordPages;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** What is decided on a part of a record, as it is where that is long. */
@Tag("full")
class MapsInPagesContractTest extends StoreContract {

  private final ManualTime time = new ManualTime();
  private final MapsServer server = new MapsServer("contract", time);

  @Override
  protected StoreFactory factory() {
    return context ->
        new RecordBasedStore(
            new RecordPages(server.open(context.clientId()), () -> 1),
            context,
            Duration.ofSeconds(3));
  }

  @Override
  protected void advance(Duration passed) {
    time.advance(passed);
  }
}

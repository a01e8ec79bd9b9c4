package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;
import java.util.Random;
import org.junit.jupiter.api.Tag;

@Tag("full")
class DynamoDbRecordStoreContractTest extends RecordStoreContract {

  @Override
  protected RecordStore open(String clientId) {
    return DynamoDbStores.of(DynamoDbUrl.parse(SharedServer.running().url()))
        .records(
            new StoreContext(
                clientId,
                "test client",
                "contract",
                Timings.DEFAULT,
                // Only the jitter of pauses is random, on which nothing here depends.
                new Environment(System::nanoTime, Threads::scheduler, new Random(1))));
  }
}

package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;
import java.util.Random;

class ZooKeeperRecordStoreContractTest extends RecordStoreContract {

  private static final RecordClock CLOCK = RecordClock.own(System::nanoTime);

  @Override
  protected RecordStore open(String clientId) {
    StoreContext context =
        new StoreContext(
            clientId,
            "test client",
            "contract",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    ZooKeeperSettings settings =
        ZooKeeperUrl.parse(SharedServer.running().url() + "?connectTimeout=20s");
    Connection connection = Connection.open(settings, context.environment());
    ZooKeeperRecordStore store = new ZooKeeperRecordStore(connection, true, context, CLOCK);
    store.enterOrThrow();
    return store;
  }
}

package io.lockkeeper.etcd;

import io.etcd.jetcd.Client;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;
import java.util.Random;
import org.junit.jupiter.api.Tag;

@Tag(ServersTests.TAG)
class EtcdRecordStoreContractTest extends RecordStoreContract {

  @Override
  protected RecordStore open(String clientId) {
    String server = SharedServer.running().connectString();
    return new EtcdRecordStore(
        Client.builder().endpoints("http://" + server).build(),
        true,
        EtcdOptions.of("etcd://" + server),
        new StoreContext(
            clientId,
            "test client",
            "contract",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1))),
        RecordClock.own(System::nanoTime));
  }
}

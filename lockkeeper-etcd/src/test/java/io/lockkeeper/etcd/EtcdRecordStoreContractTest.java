package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(ServersTests.TAG)
class EtcdRecordStoreContractTest extends RecordStoreContract {

  /** As after a hand that deletes keys, or a backup of a part of them. */
  @Test
  void entriesWhoseHeadWasDeletedAreNotThoseOfTheNextRecord() {
    String key = "orphans-" + UUID.randomUUID();
    RecordStore store = open("c");
    try {
      committed(store, key, new Entry("old", "1"), new Entry("both", "1"));
      RawKeys.of(SharedServer.running()).delete(EtcdUrl.PREFIX + "/h/" + key, head -> true);
      assertThat(read(store, key).head()).isNull();

      committed(store, key, new Entry("new", "2"), new Entry("both", "2"));

      assertThat(read(store, key).entries())
          .containsExactlyInAnyOrder(new Entry("new", "2"), new Entry("both", "2"));
    } finally {
      store.close();
    }
  }

  private static Reading read(RecordStore store, String key) {
    return StoreProbe.answer(StoreProbe.get(store.read(List.of(ReadRequest.all(key)))).get(0));
  }

  private static void committed(RecordStore store, String key, Entry... put) {
    long version = read(store, key).version();
    Change change = new Change(key, version, "head", List.of(), List.of(put), List.of());
    assertThat(StoreProbe.answer(StoreProbe.get(store.commit(List.of(change))).get(0)))
        .isInstanceOf(CommitAnswer.Committed.class);
  }

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

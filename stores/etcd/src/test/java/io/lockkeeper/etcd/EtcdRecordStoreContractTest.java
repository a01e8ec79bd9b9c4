package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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

  /**
   * The note of a deletion goes after a while. A change that was decided on an absence before that
   * would otherwise be made: with tokens smaller than those in between, and with times that mean
   * another change.
   */
  @Test
  void anAbsenceThatIsOlderThanNotesOfDeletionsIsNotAnother() {
    String key = "absence-" + UUID.randomUUID();
    AtomicLong elapsed = new AtomicLong();
    try (RecordStore store = open("slow", () -> System.nanoTime() + elapsed.get());
        RecordStore other = open("other")) {
      long absent = read(store, key).version();
      committed(other, key);
      assertThat(commit(other, key, read(other, key).version(), null))
          .isInstanceOf(CommitAnswer.Committed.class);
      RawKeys.of(SharedServer.running()).delete(EtcdUrl.PREFIX + "/d/" + key, note -> true);
      elapsed.addAndGet(TimeUnit.MILLISECONDS.toNanos(Timings.DEFAULT.tombstoneMillis()));

      assertThat(commit(store, key, absent, "late")).isInstanceOf(CommitAnswer.Conflict.class);

      committed(store, key);
    }
  }

  /** Otherwise a record that is used seldom would need one more request each time. */
  @Test
  void anAbsenceIsNoOlderThanWhatWasReadSince() {
    String key = "quiet-" + UUID.randomUUID();
    AtomicLong elapsed = new AtomicLong();
    try (RecordStore store = open("quiet", () -> System.nanoTime() + elapsed.get())) {
      long absent = read(store, key).version();
      elapsed.addAndGet(TimeUnit.MILLISECONDS.toNanos(Timings.DEFAULT.tombstoneMillis() - 10_000));

      assertThat(commit(store, key, absent, "head")).isInstanceOf(CommitAnswer.Committed.class);
    }
  }

  private static Reading read(RecordStore store, String key) {
    return StoreProbe.answer(StoreProbe.get(store.read(List.of(ReadRequest.all(key)))).get(0));
  }

  private static void committed(RecordStore store, String key, Entry... put) {
    assertThat(commit(store, key, read(store, key).version(), "head", put))
        .isInstanceOf(CommitAnswer.Committed.class);
  }

  private static CommitAnswer commit(
      RecordStore store, String key, long expected, @Nullable String head, Entry... put) {
    Change change = new Change(key, expected, head, List.of(), List.of(put), List.of());
    return StoreProbe.answer(StoreProbe.get(store.commit(List.of(change))).get(0));
  }

  @Override
  protected RecordStore open(String clientId) {
    return open(clientId, System::nanoTime);
  }

  private static RecordStore open(String clientId, TimeSource time) {
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
            new Environment(time, Threads::scheduler, new Random(1))),
        RecordClock.own(time));
  }
}

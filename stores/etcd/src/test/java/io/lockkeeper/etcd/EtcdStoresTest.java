package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.Client;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of the driver: one of the application's own, and one that is made from a URL. */
@Tag(ServersTests.TAG)
class EtcdStoresTest {

  /** Three of these are more than an answer has by default. */
  private static final String LARGE = "x".repeat(1_450_000);

  private static Client plain(EtcdServer server) {
    return Client.builder().endpoints("http://" + server.connectString()).build();
  }

  @Test
  void largeRecordsAreReadTogether() {
    EtcdSettings settings = EtcdUrl.parse(SharedServer.running().url());

    assertThatLargeRecordsAreRead(EtcdStores.connect(settings));
  }

  @Test
  void largeRecordsAreReadOneByOneWhereTheApplicationsClientTakesNoMore() {
    assertThatLargeRecordsAreRead(plain(SharedServer.running()));
  }

  private static void assertThatLargeRecordsAreRead(Client client) {
    String prefix = UUID.randomUUID() + "/";
    try (RecordStore records =
        new EtcdRecordStore(
            client,
            true,
            EtcdOptions.of("etcd").withTimeout(Duration.ofSeconds(20)),
            new StoreContext(
                "a",
                "test client",
                "large",
                Timings.DEFAULT,
                new Environment(System::nanoTime, Threads::scheduler, new Random(1))),
            RecordClock.own(System::nanoTime))) {
      List<ReadRequest> all =
          IntStream.range(0, 4).mapToObj(i -> ReadRequest.all(prefix + i)).toList();
      for (ReadRequest each : all) {
        long version = read(records, List.of(each)).get(0).version();
        Change change = new Change(each.key(), version, LARGE, List.of(), List.of(), List.of());
        assertThat(StoreProbe.get(records.commit(List.of(change))).get(0))
            .isInstanceOf(Outcome.Answered.class);
      }

      assertThat(read(records, all)).allMatch(reading -> LARGE.equals(reading.head()));

      all.forEach(
          each ->
              StoreProbe.get(
                  records.commit(
                      List.of(
                          new Change(
                              each.key(),
                              read(records, List.of(each)).get(0).version(),
                              null,
                              List.of(),
                              List.of(),
                              List.of())))));
    }
  }

  /** A message may have come before it. */
  @Test
  void theFirstWatchIsToldOfWhenItHasBegun() {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    try (Client client = plain(SharedServer.running());
        Scheduler scheduler = Threads.scheduler();
        MessageWatch messages =
            new MessageWatch(client.getWatchClient(), EtcdKeys.bytes("none/"), scheduler)) {
      messages.listen(
          new RecordStore.Listener() {
            @Override
            public void message(String text) {}

            @Override
            public void reconnected() {
              begun.complete(true);
            }
          });

      assertThat(StoreProbe.get(begun)).isTrue();
    }
  }

  private static List<Reading> read(RecordStore records, List<ReadRequest> requests) {
    return StoreProbe.get(records.read(requests)).stream().map(StoreProbe::answer).toList();
  }

  @Test
  void twoKeepersOnOneClientWithPrefixesOfTheirOwnDoNotMixAndLeaveTheClientOpen() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Client client = plain(server)) {
      RawKeys.of(server).put("lockkeeper", "another's");
      RawKeys.of(server).put("apps/h/lockkeeper/r/lock/foreign", "another's");
      EtcdStores stores =
          EtcdStores.from(client)
              .withTimeout(Duration.ofSeconds(5))
              .withSessionTimeout(Duration.ofSeconds(5));
      Lockkeeper first = Lockkeeper.builder().connect(stores.withPrefix("apps/one"));
      Lockkeeper second = Lockkeeper.builder().connect(stores.withPrefix("apps/two"));

      Lease ofFirst = first.lock("n").acquire();
      Lease ofSecond = second.lock("n").acquire();
      Lease other = second.lock("other").acquire();

      assertThat(ofFirst.isValid() && ofSecond.isValid()).isTrue();
      assertThat(first.admin().inspect(ResourceQuery.all().limit(10))).hasSize(1);
      assertThat(second.admin().inspect(ResourceQuery.all().limit(10))).hasSize(2);
      other.close();
      ofFirst.close();
      first.close();
      assertThat(ofSecond.isValid()).isTrue();
      ofSecond.close();
      second.lock("n").acquire().close();
      second.close();
      assertThat(client.getKVClient().get(EtcdKeys.bytes("lockkeeper")).join().getCount())
          .isEqualTo(1);
    }
  }

  @Test
  void aSessionIsNeitherTooShortNorTooLong() {
    try (Client client = plain(SharedServer.running())) {
      EtcdStores stores = EtcdStores.from(client);
      assertThatThrownBy(() -> stores.withSessionTimeout(Duration.ofSeconds(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from 2s to 10m");
      assertThatThrownBy(() -> stores.withSessionTimeout(Duration.ofHours(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from 2s to 10m");
    }
  }
}

package io.lockkeeper.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is particular to DynamoDB: tombstones, the size of items, clients of the application. */
class DynamoDbStoresTest {

  private final String name = "n-" + UUID.randomUUID();
  private final String key = "special/r/lock/" + name;
  private final AtomicLong nanos = new AtomicLong();

  private static DynamoDbAsyncClientBuilder builder() {
    return DynamoDbAsyncClient.builder()
        .region(Region.of("local"))
        .endpointOverride(URI.create(SharedServer.running().endpoint()));
  }

  private RecordStore records(TimeSource time) {
    return DynamoDbStores.of(DynamoDbUrl.parse(SharedServer.running().url() + "&timeout=1m"))
        .records(
            new StoreContext(
                "me",
                "test client",
                "special",
                Timings.DEFAULT,
                // Only the jitter of pauses is random, on which nothing here depends.
                new Environment(time, Threads::scheduler, new Random(1))));
  }

  private Outcome<CommitAnswer> commit(RecordStore store, long expected, @Nullable String head) {
    return StoreProbe.get(
            store.commit(List.of(new Change(key, expected, head, List.of(), List.of(), List.of()))))
        .get(0);
  }

  private Reading read(RecordStore store) {
    return StoreProbe.answer(StoreProbe.get(store.read(List.of(ReadRequest.all(key)))).get(0));
  }

  @Test
  void aClientThatRepeatsRequestsIsRefused() {
    try (DynamoDbAsyncClient repeating = builder().build()) {
      assertThatThrownBy(() -> DynamoDbStores.from(repeating, "lockkeeper"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("doNotRetry");
    }
  }

  /** A lock whose name the client knows: one request to take it, one to give it back. */
  @Test
  void aKnownFreeLockIsOneRequestToTakeAndOneToGiveBack() throws Exception {
    Queue<String> requests = new ConcurrentLinkedQueue<>();
    ExecutionInterceptor counting =
        new ExecutionInterceptor() {
          @Override
          public void beforeTransmission(
              Context.BeforeTransmission sent, ExecutionAttributes attributes) {
            requests.add(sent.request().getClass().getSimpleName());
          }
        };
    try (DynamoDbAsyncClient client =
        builder()
            .overrideConfiguration(
                o ->
                    o.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(counting))
            .build()) {
      try (Lockkeeper keeper =
          Lockkeeper.builder().connect(DynamoDbStores.from(client, "lockkeeper"))) {
        for (int i = 0; i < 2; i++) { // a claim that waits for a release could share its request
          keeper.lock(name).acquire().releaseAsync().toCompletableFuture().join();
        }
      }
      // Opening, the directory and back; a look, and then only writes.
      assertThat(requests).filteredOn(request -> request.equals("PutItemRequest")).hasSize(6);
      assertThat(requests).filteredOn(request -> request.equals("GetItemRequest")).hasSize(3);
      assertThat(client.listTables().join().tableNames()).contains("lockkeeper");
    }
  }

  @Test
  void anInterruptedThreadLocksAndUnlocksAndKeepsItsInterrupt() {
    try (Lockkeeper keeper = Lockkeeper.connect(SharedServer.running().url("lockkeeper"))) {
      Thread.currentThread().interrupt();
      boolean keptByLock = keeper.lock(name).call(() -> Thread.currentThread().isInterrupted());
      boolean keptByUnlock = Thread.interrupted();

      assertThat(keptByLock).isTrue();
      assertThat(keptByUnlock).isTrue();
    }
  }

  @Test
  void aTableThatIsNotThereIsNamedWithTheCommandThatMakesIt() {
    String url = SharedServer.running().url("missing");
    assertThatThrownBy(() -> Lockkeeper.connect(url))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("aws dynamodb create-table --table-name missing");
  }

  @Test
  void whatIsTooLargeForAnItemIsRefusedAndChangesNothing() {
    try (RecordStore store = records(System::nanoTime)) {
      assertThat(StoreProbe.answer(commit(store, read(store).version(), "small")))
          .isInstanceOf(CommitAnswer.Committed.class);
      Reading before = read(store);

      Outcome<CommitAnswer> outcome = commit(store, before.version(), "x".repeat(500_000));

      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.FULL));
      assertThat(read(store)).isEqualTo(before);
    }
  }

  /** DynamoDB removes it when its time is over; then the time of the server is the version. */
  @Test
  void tokensGrowWhenATombstoneHasGone() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.builder().namespace("special").connect(url());
        Lockkeeper other = Lockkeeper.builder().namespace("special").connect(url())) {
      Lease first = keeper.lock(name).acquire();
      first.close();
      RawTable table = new RawTable(SharedServer.running(), "lockkeeper");
      DynamoDbTckStore.awaitNextSecond();
      Map<String, AttributeValue> tombstone = table.item(key);
      long now = System.currentTimeMillis() / 1_000;
      assertThat(tombstone).doesNotContainKey(Items.HEAD);
      assertThat(Long.parseLong(tombstone.get("ttl").n()))
          .isBetween(now + Duration.ofHours(23).toSeconds(), now + Duration.ofDays(2).toSeconds());

      table.delete(key);

      try (Lease second = other.lock(name).acquire()) {
        assertThat(second.token()).isGreaterThan(first.token());
      }
      try (Lease third = keeper.lock(name).acquire()) {
        assertThat(third.token()).isGreaterThan(first.token());
      }
    }
  }

  private static String url() {
    return SharedServer.running().url();
  }

  /** Meanwhile a record may have been made and deleted, and its tombstone have gone. */
  @Test
  void onAnAbsenceOfLongAgoNothingIsMade() {
    try (RecordStore store = records(nanos::get)) {
      long absent = read(store).version();
      nanos.addAndGet(Duration.ofHours(2).toNanos());

      assertThat(StoreProbe.answer(commit(store, absent, "late")))
          .isInstanceOf(CommitAnswer.Conflict.class);
      assertThat(StoreProbe.answer(commit(store, read(store).version(), "in time")))
          .isInstanceOf(CommitAnswer.Committed.class);
    }
  }
}

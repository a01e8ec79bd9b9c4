package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.tck.Promise;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value on Redis, guarded by a lock that is somewhere else. */
class RedisFenceTest {

  private static RedisClient client;
  private static StatefulRedisConnection<String, String> connection;

  @BeforeAll
  static void connect() {
    client = RedisClient.create(SharedServers.running(Binaries.newest()).url());
    connection = client.connect();
  }

  @AfterAll
  static void disconnect() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }

  private static Lease frozen(Lockkeeper keeper) throws InterruptedException {
    return keeper
        .lock("price")
        .acquire(AcquireOptions.defaults().withFixedLease(Duration.ofMillis(50)));
  }

  @Test
  @Promise("T7")
  void whatAFrozenHolderWritesAfterTheNextOneIsRefused() throws Exception {
    RedisCommands<String, String> redis = connection.sync();
    RedisFence fence = RedisFence.over(redis);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:redis-fence")) {
      Lease late = frozen(keeper);
      fence.set("price:1", "early", late);
      fence.set("price:1", "early, again", late);
      Lease next = keeper.lock("price").acquire();
      assertThat(redis.get("price:1")).isEqualTo("early, again");
      fence.set("price:1", "next", next);

      assertThatExceptionOfType(StaleTokenException.class)
          .isThrownBy(() -> fence.set("price:1", "late", late))
          .withMessageContaining("lock 'price'")
          .satisfies(
              e -> {
                assertThat(e.token()).isEqualTo(late.token());
                assertThat(e.newerToken()).isEqualTo(next.token());
              });
      assertThatThrownBy(() -> fence.delete("price:1", late))
          .isInstanceOf(StaleTokenException.class);
      assertThat(redis.get("price:1")).isEqualTo("next");

      fence.delete("price:1", next);
      assertThat(redis.get("price:1")).isNull();
      assertThatThrownBy(() -> fence.set("price:1", "late", late))
          .isInstanceOf(StaleTokenException.class);
    }
  }

  @Test
  @Promise("T7")
  void whoHasEnteredKeepsEarlierHoldersOut() throws Exception {
    RedisFence fence = RedisFence.over(connection.sync());
    try (Lockkeeper keeper = Lockkeeper.connect("memory:redis-fence-enter")) {
      Lease late = frozen(keeper);
      fence.enter("price:2", keeper.lock("price").acquire());

      assertThatThrownBy(() -> fence.set("price:2", "late", late))
          .isInstanceOf(StaleTokenException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"price:1", "{shop}:price", "a{b", "a{b}c{d}"})
  void theTokenIsInTheSlotOfTheValue(String key) {
    assertThat(SlotHash.getSlot(RedisFence.fenceOf(key))).isEqualTo(SlotHash.getSlot(key));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a}", "{}a", "}{"})
  void aKeyWhoseSlotNoOtherKeyCanHaveIsRefused(String key) {
    assertThatThrownBy(() -> RedisFence.fenceOf(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @Test
  void whatSeveralHoldIsRefused() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:redis-fence-shared")) {
      Lease permit = keeper.semaphore("price", 2).acquire();

      assertThatThrownBy(() -> RedisFence.over(connection.sync()).set("price:3", "x", permit))
          .isInstanceOf(IllegalArgumentException.class);
      DistributedReadWriteLock prices = keeper.readWriteLock("price");
      try (Lease read = prices.readLock().acquire()) {
        assertThatThrownBy(() -> RedisFence.over(connection.sync()).set("price:3", "x", read))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("use the write lock");
      }
      try (Lease write = prices.writeLock().acquire()) {
        RedisFence.over(connection.sync()).set("price:3", "x", write);
      }
    }
  }

  /** The example of the guide. */
  private static final class Example {

    static void setPrice(StatefulRedisConnection<String, String> connection, Lease lease) {
      RedisFence fence = RedisFence.over(connection.sync());
      fence.set("price:1001", "17", lease);
    }
  }

  @Test
  void theGuidesExampleRuns() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:redis-fence-guide")) {
      Example.setPrice(connection, keeper.lock("price").acquire());
      assertThat(connection.sync().get("price:1001")).isEqualTo("17");
    }
  }
}

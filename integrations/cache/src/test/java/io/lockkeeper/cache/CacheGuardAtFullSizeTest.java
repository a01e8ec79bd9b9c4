package io.lockkeeper.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Promise;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guard between two processes with a hundred threads each, on a real Redis. */
@Tag("slow")
class CacheGuardAtFullSizeTest {

  private static final int THREADS = 100;
  private static final int ABSENT_KEYS = 100_000;

  @AutoClose private final RedisServer server = RedisServer.start();
  @AutoClose private final RedisClient redis = RedisClient.create(server.url());

  private final RedisCommands<String, String> counters = redis.connect().sync();

  private int count(String counter) {
    String value = counters.get(counter);
    return value == null ? 0 : Integer.parseInt(value);
  }

  private static long read(TalkingProcess... processes) throws Exception {
    for (TalkingProcess process : processes) {
      process.await("ready", Delays.work());
    }
    for (TalkingProcess process : processes) {
      process.goOn();
    }
    long read = 0;
    for (TalkingProcess process : processes) {
      read += Long.parseLong(process.await("read", Delays.millis(300_000)));
    }
    return read;
  }

  /** The server says how often the value has expired. */
  @Test
  @Promise("CG1")
  void aHotKeyThatExpiresEachSecondForAMinuteIsLoadedOncePerExpiry() throws Exception {
    AtomicInteger expiries = new AtomicInteger();
    counters.configSet("notify-keyspace-events", "Ex");
    StatefulRedisPubSubConnection<String, String> events = redis.connectPubSub();
    events.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String key) {
            if (key.equals("cache:" + CrowdOfReaders.HOT)) {
              expiries.incrementAndGet();
            }
          }
        });
    events.sync().subscribe("__keyevent@0__:expired");
    Duration minute = Duration.ofMinutes(1);

    long read;
    try (TalkingProcess one = CrowdOfReaders.ofAHotKey(server.url(), THREADS, minute);
        TalkingProcess two = CrowdOfReaders.ofAHotKey(server.url(), THREADS, minute)) {
      read = read(one, two);
    }

    int loads = count(CrowdOfReaders.LOADS);
    await()
        .atMost(Delays.patience())
        .untilAsserted(() -> assertThat(expiries).as("expiries").hasValue(loads));
    System.out.printf("a hot key: %d reads, %d loads, %d expiries%n", read, loads, expiries.get());
    assertThat(loads).isBetween(10, 61);
    assertThat(count(CrowdOfReaders.OVERLAPS)).as("overlaps").isZero();
    assertThat(count(CrowdOfReaders.LOADING)).isZero();
  }

  @Test
  @Promise("CG4")
  void manyAbsentKeysCostTheDatabaseOneLoadInAHundredKeysAtMost() throws Exception {
    long read;
    try (TalkingProcess one = CrowdOfReaders.ofAbsentKeys(server.url(), THREADS, ABSENT_KEYS);
        TalkingProcess two = CrowdOfReaders.ofAbsentKeys(server.url(), THREADS, ABSENT_KEYS)) {
      read = read(one, two);
    }

    int loads = count(CrowdOfReaders.LOADS);
    System.out.printf("absent keys: %d reads, %d loads%n", read, loads);
    assertThat(read).isEqualTo(2L * ABSENT_KEYS);
    assertThat(loads).isLessThanOrEqualTo(ABSENT_KEYS / 100);
  }
}

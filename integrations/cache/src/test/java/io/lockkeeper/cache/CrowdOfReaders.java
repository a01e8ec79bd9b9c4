package io.lockkeeper.cache;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with many threads that read a guarded cache. It says {@code ready}, waits for a word,
 * and in the end says {@code read} and how often that was. The loads of all processes are counted
 * at the Redis server.
 */
final class CrowdOfReaders {

  static final String LOADS = "loads";
  static final String LOADING = "loading";
  static final String OVERLAPS = "overlaps";
  static final String HOT = "hot";

  private static final int KNOWN_KEYS = 100_000;

  private final RedisCommands<String, String> counters;
  private final Lockkeeper keeper;
  private final CacheStore<String, String> cache;
  private final int threads;

  private CrowdOfReaders(RedisClient redis, Lockkeeper keeper, int threads) {
    this.counters = redis.connect().sync();
    this.keeper = keeper;
    this.cache = CacheGuardTest.cache(redis);
    this.threads = threads;
  }

  /** Starts one that reads a hot key whose values live for a second. */
  static TalkingProcess ofAHotKey(String url, int threads, Duration time) throws IOException {
    return start(url, threads, HOT, time.toMillis());
  }

  /** Starts one that reads each of many absent keys once. */
  static TalkingProcess ofAbsentKeys(String url, int threads, int keys) throws IOException {
    return start(url, threads, "absent", keys);
  }

  private static TalkingProcess start(String url, int threads, String what, long amount)
      throws IOException {
    return TalkingProcess.start(
        CrowdOfReaders.class,
        Map.of(),
        url,
        Integer.toString(threads),
        what,
        Long.toString(amount));
  }

  public static void main(String[] arguments) throws Exception {
    try (RedisClient redis = RedisClient.create(arguments[0]);
        Lockkeeper keeper = Lockkeeper.connect(arguments[0] + "?afterLoss=grant")) {
      CrowdOfReaders crowd = new CrowdOfReaders(redis, keeper, Integer.parseInt(arguments[1]));
      TalkingProcess.say("ready");
      TalkingProcess.awaitWord();
      int amount = Integer.parseInt(arguments[3]);
      long read = arguments[2].equals(HOT) ? crowd.readHot(amount) : crowd.readAbsent(amount);
      TalkingProcess.say("read " + read);
    }
  }

  private long readHot(int millis) throws Exception {
    CacheGuard<String, String> guard =
        CacheGuardTest.guard(
            keeper,
            cache,
            CacheGuardOptions.defaults()
                .withTimeToLive(Duration.ofSeconds(1))
                .withJitter(0)
                .withLoadLease(Duration.ofMinutes(1))
                .withMaxWait(Duration.ofMinutes(1)));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    return inAllThreads(
        () -> {
          long read = 0;
          for (; System.nanoTime() < end; read++) {
            if (guard.get(HOT, this::load).isEmpty()) {
              throw new AssertionError("no value");
            }
            LockSupport.parkNanos(20_000_000);
          }
          return read;
        });
  }

  private String load(String key) {
    counters.incr(LOADS);
    if (counters.incr(LOADING) != 1) {
      counters.incr(OVERLAPS);
    }
    LockSupport.parkNanos(20_000_000);
    counters.decr(LOADING);
    return "value";
  }

  private long readAbsent(int keys) throws Exception {
    BloomFilter<CharSequence> known =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), KNOWN_KEYS, 0.005);
    for (int i = 0; i < KNOWN_KEYS; i++) {
      known.put("known " + i);
    }
    CacheGuard<String, String> guard =
        CacheGuard.builder(keeper, cache)
            .options(CacheGuardOptions.defaults().withAbsentTimeToLive(Duration.ofMinutes(30)))
            .filter(known::mightContain)
            .build();
    AtomicInteger next = new AtomicInteger();
    return inAllThreads(
        () -> {
          long read = 0;
          for (int i = next.getAndIncrement(); i < keys; i = next.getAndIncrement(), read++) {
            Optional<String> value =
                guard.get(
                    "absent " + i,
                    key -> {
                      counters.incr(LOADS);
                      return null;
                    });
            if (value.isPresent()) {
              throw new AssertionError(value);
            }
          }
          return read;
        });
  }

  private long inAllThreads(java.util.concurrent.Callable<Long> reading) throws Exception {
    try (GuardedReaders readers = new GuardedReaders()) {
      List<Future<Long>> all = new ArrayList<>(readers.begin(threads, reading));
      long read = 0;
      for (Future<Long> each : all) {
        read += each.get();
      }
      return read;
    }
  }
}

package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures what a call of each script costs the server, in microseconds of its one thread, as its
 * slow log says, and prints a table. Asserts no time: it is for comparing two states of the scripts
 * on one quiet machine.
 */
@Tag("slow")
class ScriptCostTest {

  private static final long NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("lockkeeper.test.costSeconds", 1));
  private static final int LOG_LENGTH = 400_000;
  private static final int NAMES = 1_000;
  private static final int CROWD = 8;

  /** The name of a lock that is held all the time. */
  private static final String HELD = "held";

  private static final Duration SHORT = Duration.ofMillis(2);
  private static final Duration ROUND = Duration.ofMinutes(1);

  /** Shorter calls are not logged: the commands inside of scripts, whose logging would count. */
  private static final String LEAST_MICROS = "6";

  @AutoClose
  private final RedisServer server = RedisServer.builder().binary(Binaries.newest()).start();

  @AutoClose private final RedisClient client = RedisClient.create(server.url());
  @AutoClose private final StatefulRedisConnection<String, String> connection = client.connect();
  private final RedisCommands<String, String> redis = connection.sync();

  private final Map<String, String> files =
      Script.ALL.stream().collect(Collectors.toMap(Script::sha, Script::file));

  /** Acquires what has this name, and releases it. */
  private interface Work {
    void on(String name) throws Exception;
  }

  @AutoClose private final Lockkeeper holder = Lockkeeper.connect(server.url());

  @Test
  void printsWhatEachScriptCosts() throws Exception {
    holder.lock(HELD).acquire();
    redis.configSet("slowlog-max-len", Integer.toString(LOG_LENGTH));
    System.out.println("| work | script | calls | mean µs | median µs | p99 µs |");
    System.out.println("|---|---|---:|---:|---:|---:|");
    for (int clients : new int[] {1, CROWD}) {
      measure("lock", clients, it -> name -> it.lock(name).acquire().release());
      measure("fair lock", clients, it -> name -> it.fairLock(name).acquire().release());
      measure(
          "write lock",
          clients,
          it -> name -> it.readWriteLock(name).writeLock().acquire().release());
      measure(
          "read lock",
          clients,
          it -> name -> it.readWriteLock(name).readLock().acquire().release());
      measure("semaphore of 3", clients, it -> name -> it.semaphore(name, 3).acquire().release());
      measure("counter", clients, it -> name -> it.counter(name).incrementAndGet());
    }
    measure("latch", 1, it -> name -> count(it.countDownLatch(name)));
    measure("barrier", 1, it -> name -> it.barrier(name, 1).await(ROUND));
    measure("wait in vain", 1, it -> name -> it.lock(HELD).tryLock(SHORT));
    measure("inspect", 1, it -> name -> it.admin().inspect(ResourceKind.LOCK, HELD));
    measure("lock that rests", 1, it -> name -> it.lock(name).acquire().releaseAfter(SHORT));
  }

  private static void count(DistributedCountDownLatch latch) {
    latch.trySetCount(1);
    latch.countDown();
    latch.delete();
  }

  /** Measures clients of one thread each: one on many names in turn, or several on one. */
  private void measure(String title, int clients, Function<Lockkeeper, Work> works)
      throws Exception {
    List<Lockkeeper> keepers = new ArrayList<>();
    try {
      for (int i = 0; i < clients; i++) {
        keepers.add(Lockkeeper.connect(server.url()));
      }
      List<Work> all = keepers.stream().map(works).toList();
      String prefix = title + clients + "-";
      turns(all, prefix, NANOS / 2);
      redis.configSet("slowlog-log-slower-than", LEAST_MICROS);
      redis.slowlogReset();
      long turns = turns(all, prefix, NANOS);
      redis.configSet("slowlog-log-slower-than", "-1");
      print(title + (clients == 1 ? ", alone" : ", " + clients + " clients"), turns);
    } finally {
      keepers.forEach(Lockkeeper::close);
    }
  }

  /** Has each work done by a thread of its own for so long, and returns how often all have. */
  private static long turns(List<Work> works, String prefix, long nanos)
      throws InterruptedException {
    long end = System.nanoTime() + nanos;
    AtomicLong turns = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (Work work : works) {
      threads.add(
          new Thread(
              () -> {
                try {
                  for (int i = 0; System.nanoTime() < end; i++) {
                    work.on(prefix + (works.size() == 1 ? i % NAMES : 0));
                    turns.incrementAndGet();
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return turns.get();
  }

  private void print(String title, long turns) {
    Map<String, List<Long>> micros = new TreeMap<>();
    for (Object entry : redis.slowlogGet(LOG_LENGTH)) {
      List<?> fields = (List<?>) entry;
      List<?> words = (List<?>) fields.get(3);
      if (text(words.get(0)).equalsIgnoreCase("EVALSHA")) {
        String script = files.getOrDefault(text(words.get(1)), "?");
        micros.computeIfAbsent(script, any -> new ArrayList<>()).add((Long) fields.get(2));
      }
    }
    long total = micros.values().stream().flatMap(List::stream).mapToLong(each -> each).sum();
    System.out.printf(
        Locale.ROOT,
        "| %s | all of a turn | %,d | %.1f | | |%n",
        title,
        turns,
        1.0 * total / turns);
    micros.forEach(
        (script, each) -> {
          each.sort(null);
          System.out.printf(
              Locale.ROOT,
              "| | %s | %,d | %.1f | %d | %d |%n",
              script,
              each.size(),
              each.stream().mapToLong(one -> one).average().orElse(0),
              each.get(each.size() / 2),
              each.get(each.size() * 99 / 100));
        });
  }

  private static String text(Object word) {
    return word instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : word.toString();
  }
}

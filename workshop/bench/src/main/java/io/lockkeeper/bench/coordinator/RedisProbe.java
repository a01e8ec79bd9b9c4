package io.lockkeeper.bench.coordinator;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Asks a Redis server how much it has done, and sets and reads the stock. */
final class RedisProbe implements ServerProbe {

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final double MICROS_PER_SECOND = 1e6;

  private static final Pattern SCRIPTS = Pattern.compile("cmdstat_(eval|evalsha|fcall)(_ro)?");

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;

  RedisProbe(String url) {
    client = RedisClient.create(url);
    connection = client.connect();
    redis = connection.sync();
  }

  @Override
  public Reading read() {
    Map<String, String> cpu = info("cpu");
    double seconds =
        Double.parseDouble(cpu.getOrDefault("used_cpu_user", "0"))
            + Double.parseDouble(cpu.getOrDefault("used_cpu_sys", "0"));
    long commands = 0;
    long scripts = 0;
    long scriptMicros = 0;
    for (Map.Entry<String, String> stat : info("commandstats").entrySet()) {
      String[] fields = stat.getValue().split(",", -1);
      if (!stat.getKey().equals("cmdstat_info")) {
        commands += number(fields[0], "calls=");
      }
      if (SCRIPTS.matcher(stat.getKey()).matches()) {
        scripts += number(fields[0], "calls=");
        scriptMicros += number(fields[1], "usec=");
      }
    }
    return new Reading(commands, seconds * MICROS_PER_SECOND, scripts, scriptMicros);
  }

  private static long number(String field, String name) {
    return Long.parseLong(field.substring(name.length()));
  }

  /** Returns how many connections the server has beside the probe's own. */
  long connectionsOfOthers() {
    return Long.parseLong(info("clients").getOrDefault("connected_clients", "0")) - 1;
  }

  /** Waits until the probe's own connection is the only one. */
  void awaitAlone(Duration limit) throws WorkerFailedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (connectionsOfOthers() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new WorkerFailedException(
            connectionsOfOthers() + " connections of ended processes are still open");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  long channels() {
    return Long.parseLong(info("stats").getOrDefault("pubsub_channels", "0"));
  }

  String version() {
    return info("server").getOrDefault("redis_version", "?");
  }

  @Override
  public void reset(String key) {
    redis.set(key, "0");
  }

  @Override
  public long number(String key) {
    String value = redis.get(key);
    return value == null ? 0 : Long.parseLong(value);
  }

  private Map<String, String> info(String section) {
    Map<String, String> values = new TreeMap<>();
    redis
        .info(section)
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line ->
                values.put(
                    line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1)));
    return values;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}

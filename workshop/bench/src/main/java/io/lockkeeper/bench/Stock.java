package io.lockkeeper.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * The stock that orders change: a number in Redis, reached over a connection of its own, so that no
 * contender's client does this work. An order reads it and writes it back one larger, in two round
 * trips; whatever is missing at the end was lost between two orders that overlapped.
 */
final class Stock implements AutoCloseable {

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;

  Stock(String redisUrl) {
    client = RedisClient.create(redisUrl);
    connection = client.connect();
    redis = connection.sync();
  }

  void order(String key) {
    String before = redis.get(key);
    redis.set(key, Long.toString((before == null ? 0 : Long.parseLong(before)) + 1));
  }

  /** Takes as long as an order, and changes nothing. */
  void look(String key) {
    redis.get(key);
    redis.get(key);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}

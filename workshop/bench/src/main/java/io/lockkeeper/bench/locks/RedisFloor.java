package io.lockkeeper.bench.locks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.TimeUnit;

/** Two scripts, over one connection of Lettuce. */
final class RedisFloor extends Floor {

  /**
   * KEYS: the lock, its counter. ARGV: the owner, the lease in milliseconds. Returns the token, or
   * 0 if the lock is held.
   */
  private static final String TAKE =
      """
      if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
        return redis.call('INCR', KEYS[2])
      end
      return 0
      """;

  /** KEYS: the lock. ARGV: the owner. Returns whether it held the lock. */
  private static final String GIVE_BACK =
      """
      if redis.call('GET', KEYS[1]) == ARGV[1] then
        return redis.call('DEL', KEYS[1])
      end
      return 0
      """;

  private static final String LEASE_MILLIS = String.valueOf(LEASE_SECONDS * 1_000);

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisAsyncCommands<String, String> redis;
  private final String take;
  private final String giveBack;

  RedisFloor(String url) {
    client = RedisClient.create(url);
    connection = client.connect();
    redis = connection.async();
    take = connection.sync().scriptLoad(TAKE);
    giveBack = connection.sync().scriptLoad(GIVE_BACK);
  }

  @Override
  long take(String name, String owner) {
    RedisFuture<Long> token =
        redis.evalsha(
            take,
            ScriptOutputType.INTEGER,
            new String[] {"floor:" + name, "floor:" + name + ":token"},
            owner,
            LEASE_MILLIS);
    return token.toCompletableFuture().join();
  }

  @Override
  void giveBack(String name, String owner) {
    var unused =
        redis.evalsha(giveBack, ScriptOutputType.INTEGER, new String[] {"floor:" + name}, owner);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(0, 0, TimeUnit.MILLISECONDS);
  }
}

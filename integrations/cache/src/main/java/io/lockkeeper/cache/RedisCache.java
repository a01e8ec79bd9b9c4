package io.lockkeeper.cache;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A cache on Redis, through a connection of Lettuce that the application has: to one server, to
 * Sentinels or to a cluster. An entry is a string: {@code v} and the bytes of the value, or {@code
 * a} if it is known that there is none. What goes wrong is thrown as Lettuce's exceptions.
 *
 * @param <K> the keys; the {@code toString} of each, with the prefix before it, is its key on Redis
 * @param <V> the values
 */
public final class RedisCache<K, V> implements CacheStore<K, V> {

  private static final byte VALUE = 'v';
  private static final byte ABSENT = 'a';

  private final RedisClusterAsyncCommands<String, byte[]> redis;
  private final String prefix;
  private final ValueCodec<V> codec;
  private final Duration timeout;

  /**
   * Creates one.
   *
   * @param redis the commands of a connection whose keys are texts and whose values are bytes
   * @param prefix with what its keys begin
   * @param codec the bytes of the values
   * @param timeout how long an answer of the server is waited for
   */
  public RedisCache(
      RedisClusterAsyncCommands<String, byte[]> redis,
      String prefix,
      ValueCodec<V> codec,
      Duration timeout) {
    this.redis = Objects.requireNonNull(redis, "redis");
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    this.codec = Objects.requireNonNull(codec, "codec");
    this.timeout = Objects.requireNonNull(timeout, "timeout");
  }

  @Override
  public @Nullable CacheEntry<V> get(K key) {
    String name = prefix + key;
    // In this order: if the entry is replaced in between, it is only taken to be older than it is.
    RedisFuture<Long> left = redis.pttl(name);
    RedisFuture<byte[]> found = redis.get(name);
    Long leftMillis = await(left);
    byte[] bytes = await(found);
    if (leftMillis == null || leftMillis == -2 || bytes == null) {
      return null;
    }
    Duration timeLeft = leftMillis == -1 ? CacheEntry.UNLIMITED : Duration.ofMillis(leftMillis);
    return new CacheEntry<>(decode(name, bytes), timeLeft);
  }

  private @Nullable V decode(String name, byte[] bytes) {
    if (bytes.length == 1 && bytes[0] == ABSENT) {
      return null;
    }
    if (bytes.length == 0 || bytes[0] != VALUE) {
      throw new IllegalStateException("the Redis key '" + name + "' is no entry of this cache");
    }
    return codec.decode(Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  @Override
  public void put(K key, @Nullable V value, Duration timeToLive) {
    SetArgs expiry = SetArgs.Builder.px(Math.max(1, timeToLive.toMillis()));
    await(redis.set(prefix + key, encode(value), expiry));
  }

  private byte[] encode(@Nullable V value) {
    if (value == null) {
      return new byte[] {ABSENT};
    }
    byte[] encoded = codec.encode(value);
    byte[] bytes = new byte[encoded.length + 1];
    bytes[0] = VALUE;
    System.arraycopy(encoded, 0, bytes, 1, encoded.length);
    return bytes;
  }

  @Override
  public void remove(K key) {
    await(redis.del(prefix + key));
  }

  private <T> @Nullable T await(RedisFuture<T> answer) {
    return LettuceFutures.awaitOrCancel(answer, timeout.toNanos(), TimeUnit.NANOSECONDS);
  }
}

package io.lockkeeper.lab.oversell;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheGuard;
import io.lockkeeper.cache.CacheGuardOptions;
import io.lockkeeper.cache.RedisCache;
import io.lockkeeper.cache.ValueCodec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stock through a cache in Redis, as people write it or by a guard. Being inside is
 * loading: asking the store for what the cache does not have.
 */
public final class CachedStock implements Strategy {

  /** How many keys are loaded together where it is many. */
  public static final int MANY_KEYS = 64;

  private static final String PREFIX = "lab-cache:";

  /** What is asked for. */
  enum Keys {
    /** One key that all ask for. */
    HOT(""),
    /** One key that has no value. */
    MISSING("Missing"),
    /** Each of many keys in turn. */
    MANY("Many");

    private final String suffix;

    Keys(String suffix) {
      this.suffix = suffix;
    }

    /** Returns the end of the names of strategies with these keys. */
    String suffix() {
      return suffix;
    }
  }

  private final boolean guarded;
  private final Keys keys;

  CachedStock(boolean guarded, Keys keys) {
    this.guarded = guarded;
    this.keys = keys;
  }

  /** Returns the keys in Redis of an article that many are kept of. */
  public static List<String> keysInRedis(Article article) {
    return IntStream.range(0, MANY_KEYS).mapToObj(i -> PREFIX + key(article, i)).toList();
  }

  private static String key(Article article, int number) {
    return article.name() + "-" + number;
  }

  @Override
  public Sellers open(GuardContext context) {
    RedisClient client = RedisClient.create(context.storeUrl());
    RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    StatefulRedisConnection<String, byte[]> connection = client.connect(codec);
    RedisCache<String, String> cache =
        new RedisCache<>(connection.async(), PREFIX, ValueCodec.utf8(), RedisLine.CALL_LIMIT);
    Lockkeeper keeper = Lockkeeper.builder().namespace("lab").connect(context.storeUrl());
    CacheGuard<String, String> guard =
        CacheGuard.builder(keeper, cache)
            .name("lab")
            .options(CacheGuardOptions.defaults().withTimeToLive(context.lease()))
            .build();
    Shop shop = Shop.open(context.stockUrl());
    Reader reader = new Reader(guarded, keys, guard, cache, shop, context, new AtomicInteger());
    return new Sellers(
        article -> () -> reader.order(article),
        () -> {
          shop.close();
          keeper.close();
          connection.close();
          client.shutdown();
        });
  }

  private record Reader(
      boolean guarded,
      Keys keys,
      CacheGuard<String, String> guard,
      RedisCache<String, String> cache,
      Shop shop,
      GuardContext context,
      AtomicInteger turn) {

    boolean order(Article article) throws InterruptedException {
      if (context.points().asks(Points.MANY)) {
        for (int i = 0; i < MANY_KEYS; i++) {
          read(article, key(article, i));
        }
      } else {
        read(article, next(article));
      }
      return false;
    }

    private String next(Article article) {
      return switch (keys) {
        case HOT -> article.name();
        case MISSING -> article.name() + "-missing";
        case MANY -> key(article, Math.floorMod(turn.getAndIncrement(), MANY_KEYS));
      };
    }

    private void read(Article article, String key) throws InterruptedException {
      if (guarded) {
        guard.get(key, it -> load(article));
      } else if (cache.get(key) == null) {
        String value = load(article);
        if (value != null) {
          cache.put(key, value, context.lease());
        }
      }
    }

    private @Nullable String load(Article article) throws InterruptedException {
      context.points().at(Points.ENTERED);
      long left = shop.stockLeft(article);
      context.points().at(Points.READ);
      context.points().at(Points.LEAVING);
      return keys == Keys.MISSING ? null : Long.toString(left);
    }
  }
}

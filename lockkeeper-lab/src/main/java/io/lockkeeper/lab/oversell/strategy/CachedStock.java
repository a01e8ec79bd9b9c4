package io.lockkeeper.lab.oversell.strategy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheEntry;
import io.lockkeeper.cache.CacheGuard;
import io.lockkeeper.cache.RedisCache;
import io.lockkeeper.cache.ValueCodec;
import io.lockkeeper.lab.oversell.redis.RedisLine;
import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.shop.Till;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stock through a cache in Redis, as people write it or by a guard. Being inside is
 * loading: asking the store for what the cache does not have.
 */
final class CachedStock extends StoreStrategy {

  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(1);

  private final boolean guarded;

  CachedStock(boolean guarded) {
    super(
        guarded ? "cacheGuard" : "cachePlain",
        guarded ? "CacheGuard.get()" : "read the cache, or else load and write the cache",
        StoreKind.REDIS);
    this.guarded = guarded;
  }

  @Override
  public Sellers open(GuardContext context) {
    RedisClient client = RedisClient.create(context.storeUrl());
    RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    StatefulRedisConnection<String, byte[]> connection = client.connect(codec);
    RedisCache<String, String> cache =
        new RedisCache<>(connection.async(), "lab-cache:", ValueCodec.utf8(), RedisLine.CALL_LIMIT);
    Lockkeeper keeper = Lockkeeper.builder().namespace("lab").connect(context.storeUrl());
    CacheGuard<String, String> guard = CacheGuard.builder(keeper, cache).name("lab").build();
    Till till = Shops.openTill(context.stockUrl());
    Points points = context.points();
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        return () -> {
          boolean missing = points.asks(Points.OTHER);
          String key = article.name() + (missing ? "-missing" : "");
          if (guarded) {
            guard.get(key, it -> load(article, missing));
          } else {
            CacheEntry<String> found = cache.get(key);
            if (found == null) {
              String value = load(article, missing);
              if (value != null) {
                cache.put(key, value, TIME_TO_LIVE);
              }
            }
          }
          return new Sale(false, System.nanoTime());
        };
      }

      private @Nullable String load(Article article, boolean missing) throws InterruptedException {
        points.at(Points.ENTERED);
        long left = till.stockLeft(article);
        points.at(Points.READ);
        points.at(Points.LEAVING);
        return missing ? null : Long.toString(left);
      }

      @Override
      public void close() {
        till.close();
        keeper.close();
        connection.close();
        client.shutdown();
      }
    };
  }
}

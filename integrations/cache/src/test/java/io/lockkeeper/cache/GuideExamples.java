package io.lockkeeper.cache;

import com.google.common.hash.BloomFilter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.spring.GuardedCacheManager;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The code of the guide to caches; {@link CacheGuardTest} runs it. */
class GuideExamples {

  /** Where the values come from. */
  interface Database {
    @Nullable String find(String id);
  }

  Optional<String> read(Lockkeeper keeper, CacheStore<String, String> cache, Database database)
      throws InterruptedException {
    CacheGuard<String, String> products =
        CacheGuard.builder(keeper, cache)
            .name("products")
            .options(CacheGuardOptions.defaults().withTimeToLive(Duration.ofMinutes(5)))
            .build();

    Optional<String> product = products.get("1001", id -> database.find(id));
    return product;
  }

  CacheStore<String, String> cache(RedisClient redis) {
    CacheStore<String, String> shared =
        new RedisCache<>(
            redis.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)).async(),
            "products:",
            ValueCodec.utf8(),
            Duration.ofSeconds(1));
    CacheStore<String, String> cache = new NearCache<>(shared, 10_000, Duration.ofSeconds(1));
    return cache;
  }

  CacheGuard<String, String> filtered(
      Lockkeeper keeper, CacheStore<String, String> cache, BloomFilter<CharSequence> known) {
    CacheGuard<String, String> filtered =
        CacheGuard.builder(keeper, cache).filter(known::mightContain).build();
    return filtered;
  }

  CacheGuard<String, String> withDefault(Lockkeeper keeper, CacheStore<String, String> cache) {
    CacheGuard<String, String> withDefault =
        CacheGuard.builder(keeper, cache).fallback(id -> Optional.of("being loaded")).build();
    return withDefault;
  }

  @Bean
  CacheManager cacheManager(RedisConnectionFactory redis, Lockkeeper keeper) {
    return new GuardedCacheManager(
        RedisCacheManager.create(redis), keeper, CacheGuardOptions.defaults());
  }
}

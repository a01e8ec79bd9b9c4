package io.lockkeeper.cache.spring;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheGuardOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/**
 * The caches of another manager, such as Spring's {@code RedisCacheManager}, whose values are
 * loaded once over all processes: a method with {@code @Cacheable(sync = true)} runs in one thread
 * of one process at a time for each key, and the others get its result.
 *
 * <p>Without {@code sync} Spring does not say when it loads, and nothing is guarded. How long
 * entries are kept, and whether null is remembered, is up to the caches themselves; of the options
 * the lease, the limit on the wait and what follows it apply.
 *
 * <p>The lock of a key is named {@code cache:}, the name of the cache, a colon, and the key's
 * {@code toString}.
 */
public final class GuardedCacheManager implements CacheManager {

  private final CacheManager caches;
  private final Lockkeeper keeper;
  private final CacheGuardOptions options;
  private final Map<String, GuardedCache> guarded = new ConcurrentHashMap<>();

  /**
   * Creates one.
   *
   * @param caches the manager of the caches, which all processes should share
   * @param keeper the client whose locks are taken
   * @param options the lease of a loader and the limit on the wait
   */
  public GuardedCacheManager(CacheManager caches, Lockkeeper keeper, CacheGuardOptions options) {
    this.caches = Objects.requireNonNull(caches, "caches");
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.options = Objects.requireNonNull(options, "options").withStaleTime(Duration.ZERO);
  }

  @Override
  public @Nullable Cache getCache(String name) {
    GuardedCache known = guarded.get(name);
    if (known != null) {
      return known;
    }
    Cache cache = caches.getCache(name);
    return cache == null
        ? null
        : guarded.computeIfAbsent(name, same -> new GuardedCache(cache, keeper, options));
  }

  @Override
  public Collection<String> getCacheNames() {
    return caches.getCacheNames();
  }
}

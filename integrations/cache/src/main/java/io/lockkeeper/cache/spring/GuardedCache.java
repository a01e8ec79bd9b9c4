package io.lockkeeper.cache.spring;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheEntry;
import io.lockkeeper.cache.CacheGuard;
import io.lockkeeper.cache.CacheGuardOptions;
import io.lockkeeper.cache.CacheLoadException;
import io.lockkeeper.cache.CacheStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;

/** A cache of Spring whose values are loaded under the lock of their key. */
final class GuardedCache implements Cache {

  private final Cache cache;
  private final CacheGuard<Object, Object> guard;

  GuardedCache(Cache cache, Lockkeeper keeper, CacheGuardOptions options) {
    this.cache = cache;
    this.guard =
        CacheGuard.builder(keeper, new Entries(cache))
            .name("cache:" + cache.getName())
            .options(options)
            .build();
  }

  /**
   * The entries of a cache, which decides itself how long it keeps them.
   *
   * <p>A cache may carry out {@link Cache#put} and {@link Cache#evict} later, as Spring Data Redis
   * 4 does. The next holder of the lock has to see them, so they are made by the methods that are
   * immediate.
   */
  private record Entries(Cache cache) implements CacheStore<Object, Object> {

    @Override
    public @Nullable CacheEntry<Object> get(Object key) {
      ValueWrapper found = cache.get(key);
      return found == null ? null : new CacheEntry<>(found.get(), CacheEntry.UNLIMITED);
    }

    @Override
    public void put(Object key, @Nullable Object value, Duration timeToLive) {
      if (cache.putIfAbsent(key, value) != null) {
        cache.evictIfPresent(key);
        cache.putIfAbsent(key, value);
      }
    }

    @Override
    public void remove(Object key) {
      cache.evictIfPresent(key);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
    try {
      return (T) guard.get(key, same -> valueLoader.call()).orElse(null);
    } catch (CacheLoadException e) {
      throw new ValueRetrievalException(key, valueLoader, Objects.requireNonNull(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ValueRetrievalException(key, valueLoader, e);
    }
  }

  /**
   * Waits for a load of the value that is under way, so that an older one is not put afterwards.
   */
  @Override
  public void evict(Object key) {
    try {
      guard.invalidate(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cache.evictIfPresent(key);
    }
  }

  @Override
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
    throw new UnsupportedOperationException(
        "with sync = true a method that returns a future or a publisher cannot be guarded");
  }

  // ------------------------------------------------------------- as the cache itself does it

  @Override
  public String getName() {
    return cache.getName();
  }

  @Override
  public Object getNativeCache() {
    return cache.getNativeCache();
  }

  @Override
  public @Nullable ValueWrapper get(Object key) {
    return cache.get(key);
  }

  @Override
  public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
    return cache.get(key, type);
  }

  @Override
  public @Nullable CompletableFuture<?> retrieve(Object key) {
    return cache.retrieve(key);
  }

  @Override
  public void put(Object key, @Nullable Object value) {
    cache.put(key, value);
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    return cache.putIfAbsent(key, value);
  }

  @Override
  public boolean evictIfPresent(Object key) {
    return cache.evictIfPresent(key);
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public boolean invalidate() {
    return cache.invalidate();
  }
}

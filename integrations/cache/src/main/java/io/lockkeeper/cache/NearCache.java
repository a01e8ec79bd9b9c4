package io.lockkeeper.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache in this process's memory, of Caffeine, in front of one that all processes share. What is
 * read here may be out of date by as long as copies are kept.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class NearCache<K, V> implements CacheStore<K, V> {

  private final CacheStore<K, V> shared;
  private final Cache<K, Copy<V>> copies;

  /** Counts the changes that were made here, each key in one of these counters. */
  private final AtomicLongArray changes = new AtomicLongArray(256);

  /** An entry as it was read, and when the shared cache forgets it. */
  private record Copy<V>(CacheEntry<V> entry, long readNanos) {

    /** Returns the entry as it is now, or null if it has expired. */
    @Nullable CacheEntry<V> now() {
      if (entry.timeLeft().equals(CacheEntry.UNLIMITED)) {
        return entry;
      }
      Duration left = entry.timeLeft().minusNanos(System.nanoTime() - readNanos);
      return left.isNegative() || left.isZero() ? null : new CacheEntry<>(entry.value(), left);
    }
  }

  /**
   * Creates one.
   *
   * @param shared the cache that all processes share
   * @param maximumSize how many entries are kept here
   * @param keptFor how long a copy is kept at most; it is never kept longer than the entry
   */
  public NearCache(CacheStore<K, V> shared, long maximumSize, Duration keptFor) {
    this.shared = Objects.requireNonNull(shared, "shared");
    this.copies =
        Caffeine.newBuilder()
            .maximumSize(maximumSize)
            .expireAfterWrite(keptFor)
            .executor(Runnable::run)
            .build();
  }

  @Override
  public @Nullable CacheEntry<V> get(K key) {
    Copy<V> copy = copies.getIfPresent(key);
    CacheEntry<V> entry = copy == null ? null : copy.now();
    return entry == null ? getShared(key) : entry;
  }

  @Override
  public @Nullable CacheEntry<V> getShared(K key) {
    long readNanos = System.nanoTime();
    int counter = counter(key);
    long before = changes.get(counter);
    CacheEntry<V> entry = shared.getShared(key);
    Copy<V> copy = entry == null ? null : new Copy<>(entry, readNanos);
    // an entry that was read before a change is no copy after it
    copies.asMap().compute(key, (same, old) -> changes.get(counter) == before ? copy : null);
    return entry;
  }

  @Override
  public void put(K key, @Nullable V value, Duration timeToLive) {
    long readNanos = System.nanoTime();
    shared.put(key, value, timeToLive);
    changed(key);
    copies.put(key, new Copy<>(new CacheEntry<>(value, timeToLive), readNanos));
  }

  @Override
  public void remove(K key) {
    shared.remove(key);
    changed(key);
    copies.invalidate(key);
  }

  private void changed(K key) {
    changes.incrementAndGet(counter(key));
  }

  private int counter(K key) {
    return Math.floorMod(key.hashCode(), changes.length());
  }
}

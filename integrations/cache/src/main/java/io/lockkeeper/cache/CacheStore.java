package io.lockkeeper.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cache that a {@link CacheGuard} reads and writes. All processes that share locks share what it
 * holds. Its methods are called by many threads at once, and what they throw reaches the caller of
 * the guard, except that a value that cannot be written is returned all the same.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public interface CacheStore<K, V> {

  /** Returns the entry of a key, or null if there is none. */
  @Nullable CacheEntry<V> get(K key);

  /**
   * Returns the entry of a key as it is where all processes share it: a copy that is kept nearer is
   * passed by.
   */
  default @Nullable CacheEntry<V> getShared(K key) {
    return get(key);
  }

  /**
   * Puts an entry in place of whatever there is.
   *
   * @param value the value; null for the knowledge that there is none
   * @param timeToLive how long the entry is kept, at least a millisecond
   */
  void put(K key, @Nullable V value, Duration timeToLive);

  /** Removes the entry of a key, if there is one. */
  void remove(K key);
}

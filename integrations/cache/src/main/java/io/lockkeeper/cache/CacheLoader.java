package io.lockkeeper.cache;

import org.jspecify.annotations.Nullable;

/**
 * A way to get the value of a key that the cache does not have.
 *
 * @param <K> the keys
 * @param <V> the values
 */
@FunctionalInterface
public interface CacheLoader<K, V> {

  /**
   * Loads the value of a key, from the database say.
   *
   * @return the value, or null if there is none
   * @throws Exception if that cannot be told; nothing is remembered then
   */
  @Nullable V load(K key) throws Exception;
}

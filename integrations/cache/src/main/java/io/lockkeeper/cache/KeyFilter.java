package io.lockkeeper.cache;

/**
 * A filter of the keys that have no value, such as a Bloom filter of all keys that have one. With
 * Guava: {@code bloomFilter::mightContain}.
 *
 * @param <K> the keys
 */
@FunctionalInterface
public interface KeyFilter<K> {

  /**
   * Returns whether a key might have a value. If not, neither the cache nor the loader is asked for
   * it: so a filter may err only by saying true, and a new key has to be in it before its value can
   * be read.
   */
  boolean mightExist(K key);
}

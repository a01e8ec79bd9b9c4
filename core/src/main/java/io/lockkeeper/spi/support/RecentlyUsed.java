package io.lockkeeper.spi.support;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a limited number of values in mind; the one that was not used for the longest time goes
 * first. For use by many threads.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class RecentlyUsed<K, V> {

  private static final int SIZE_AT_FIRST = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final ReentrantLock mutex = new ReentrantLock();

  /** Guarded by {@link #mutex}. */
  private final Map<K, V> values;

  /**
   * Creates one.
   *
   * @param most how many values are kept
   */
  public RecentlyUsed(int most) {
    values =
        new LinkedHashMap<>(SIZE_AT_FIRST, LOAD_FACTOR, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  /** Returns the value of a key, or null. */
  public @Nullable V get(K key) {
    mutex.lock();
    try {
      return values.get(key);
    } finally {
      mutex.unlock();
    }
  }

  /** Sets the value of a key, and returns it. */
  public V put(K key, V value) {
    mutex.lock();
    try {
      values.put(key, value);
      return value;
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Replaces the value of a key in one step.
   *
   * @param change gets the value or null, and returns the new one, or null for none
   */
  public void replace(K key, UnaryOperator<@Nullable V> change) {
    mutex.lock();
    try {
      V value = change.apply(values.get(key));
      if (value == null) {
        values.remove(key);
      } else {
        values.put(key, value);
      }
    } finally {
      mutex.unlock();
    }
  }
}

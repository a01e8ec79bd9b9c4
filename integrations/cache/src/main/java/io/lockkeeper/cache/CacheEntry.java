package io.lockkeeper.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a cache: a value, or the knowledge that there is none.
 *
 * @param value the value; null if it is known that there is none
 * @param timeLeft how long the cache keeps the entry from now on, {@link #UNLIMITED} if it does not
 *     say
 * @param <V> the values
 */
public record CacheEntry<V>(@Nullable V value, Duration timeLeft) {

  /** The time left of an entry of a cache that does not say how long it keeps it. */
  public static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

  /** Creates an entry. */
  public CacheEntry {
    Objects.requireNonNull(timeLeft, "timeLeft");
  }

  /** Returns the value, or empty if it is known that there is none. */
  Optional<V> content() {
    return Optional.ofNullable(value);
  }
}

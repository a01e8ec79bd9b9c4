package io.lockkeeper.spring.boot;

import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Hands the value of a property on, and names the property if the value is refused. */
final class Setting {

  private Setting() {}

  /** Returns {@code target} with the value, or unchanged if the property is not set. */
  static <T, V> T apply(String property, @Nullable V value, T target, BiFunction<T, V, T> setter) {
    if (value == null) {
      return target;
    }
    try {
      return setter.apply(target, value);
    } catch (IllegalArgumentException e) {
      throw new StartException(
          property + " is '" + text(value) + "': " + e.getMessage(), "Change " + property + ".", e);
    }
  }

  private static String text(Object value) {
    return value instanceof Duration duration ? DurationText.of(duration) : value.toString();
  }
}

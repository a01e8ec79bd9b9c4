package io.lockkeeper.spring.boot;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

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
    return value instanceof Duration duration
        ? DurationStyle.SIMPLE.print(duration, unit(duration))
        : value.toString();
  }

  private static ChronoUnit unit(Duration duration) {
    return Stream.of(ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)
        .filter(unit -> duration.toMillis() % unit.getDuration().toMillis() == 0)
        .findFirst()
        .orElse(ChronoUnit.MILLIS);
  }
}

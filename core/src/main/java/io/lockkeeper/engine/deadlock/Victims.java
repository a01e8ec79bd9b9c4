package io.lockkeeper.engine.deadlock;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses whose wait is ended to break a circle: the youngest of the waits that may be ended. It
 * has lost the least time, and all clients of the circle choose the same.
 */
final class Victims {

  private Victims() {}

  /** Returns the victim, or null if no client of the circle breaks deadlocks. */
  static @Nullable Suspect choose(List<Suspect> circle) {
    return circle.stream()
        .filter(Suspect::breaks)
        .max(Comparator.comparing(Suspect::arrival).thenComparing(Suspect::key))
        .orElse(null);
  }
}

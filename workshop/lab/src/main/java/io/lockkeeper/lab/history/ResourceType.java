package io.lockkeeper.lab.history;

import java.util.Locale;

/** What kind of thing a resource of a history is: the part of its id before the slash. */
public enum ResourceType {
  /** A lock in default mode. */
  LOCK,
  /** A lock in fair mode. */
  FAIR,
  RW,
  SEMAPHORE,
  COUNTER,
  LATCH;

  public String id(String name) {
    return name().toLowerCase(Locale.ROOT) + "/" + name;
  }

  /**
   * Returns the type that an id tells.
   *
   * @throws IllegalArgumentException if it tells none
   */
  public static ResourceType of(String id) {
    return valueOf(id.substring(0, Math.max(0, id.indexOf('/'))).toUpperCase(Locale.ROOT));
  }
}

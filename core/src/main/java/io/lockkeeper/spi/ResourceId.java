package io.lockkeeper.spi;

import io.lockkeeper.ResourceKind;
import org.jspecify.annotations.Nullable;

/**
 * Names a resource at a store. A lock and a semaphore of one name are two resources.
 *
 * @param kind what it is, which determines the rule by which claims are admitted
 * @param name the name that the user chose
 */
public record ResourceId(ResourceKind kind, String name) implements Named {

  /** Returns the id of a lock. */
  public static ResourceId lock(String name) {
    return new ResourceId(ResourceKind.LOCK, name);
  }

  /** Returns whether it has one holder at a time. */
  public boolean isExclusive() {
    return kind.isExclusive();
  }

  // Both are written out: the JVM makes those of a record at the first call, which takes a process
  // that lives for a moment longer than all the calls that follow.
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ResourceId id && kind == id.kind && name.equals(id.name);
  }

  @Override
  public final int hashCode() {
    return 31 * kind.name().hashCode() + name.hashCode();
  }

  /** Returns its kind and its name, for messages. */
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}

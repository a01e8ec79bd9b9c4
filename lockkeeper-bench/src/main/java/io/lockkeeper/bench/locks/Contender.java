package io.lockkeeper.bench.locks;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A kind of lock that takes part. */
public enum Contender {
  LOCKKEEPER_LOCK(Library.LOCKKEEPER, "Lockkeeper lock"),
  REDISSON_LOCK(Library.REDISSON, "Redisson lock"),
  LOCKKEEPER_FAIR(Library.LOCKKEEPER, "Lockkeeper fairLock"),
  REDISSON_FAIR(Library.REDISSON, "Redisson fair lock"),
  REDISSON_SPIN(Library.REDISSON, "Redisson spin lock"),
  REDISSON_FENCED(Library.REDISSON, "Redisson fenced lock"),
  /** The reference: one process, no store. */
  REENTRANT_LOCK(Library.JDK, "ReentrantLock (one JVM)");

  private final Library library;
  private final String label;

  Contender(Library library, String label) {
    this.library = library;
    this.label = label;
  }

  /** Returns the library that it belongs to. */
  public Library library() {
    return library;
  }

  /** Returns its name for people. */
  public String label() {
    return label;
  }

  /** Returns the lock that this one is compared with, if it is compared. */
  public Optional<Contender> rival() {
    return Optional.ofNullable(rivalOrNull());
  }

  private @Nullable Contender rivalOrNull() {
    return switch (this) {
      case LOCKKEEPER_LOCK -> REDISSON_LOCK;
      case LOCKKEEPER_FAIR -> REDISSON_FAIR;
      case REDISSON_LOCK, REDISSON_FAIR, REDISSON_SPIN, REDISSON_FENCED, REENTRANT_LOCK -> null;
    };
  }
}

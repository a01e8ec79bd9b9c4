package io.lockkeeper;

import java.util.Arrays;
import java.util.Optional;

/**
 * The kinds of resources that clients hold and wait for. Resources of one name and different kinds
 * have nothing to do with each other.
 */
public enum ResourceKind {
  /** A lock: see {@link Lockkeeper#lock} and {@link Lockkeeper#fairLock}. */
  LOCK("lock"),

  /**
   * A read-write lock, with one writer or any number of readers: {@link Lockkeeper#readWriteLock}.
   */
  READ_WRITE_LOCK("read-write lock"),

  /** A semaphore, with as many holders as it has permits for: see {@link Lockkeeper#semaphore}. */
  SEMAPHORE("semaphore"),

  /** A barrier, which admits its members together: see {@link Lockkeeper#barrier}. */
  BARRIER("barrier"),

  /** An election, see {@link Lockkeeper#leaderElection}: the leader holds it, candidates wait. */
  LEADER_ELECTION("leader election");

  private final String words;

  ResourceKind(String words) {
    this.words = words;
  }

  /**
   * Returns whether the rule of locks counts: one holder at a time. The other kinds are shared, by
   * the rule of permits.
   */
  public boolean isExclusive() {
    return this == LOCK || this == LEADER_ELECTION;
  }

  /**
   * Returns the kind in one word, such as {@code read-write-lock}: on the command line, in JSON and
   * in keys of stores.
   */
  public String id() {
    return words.replace(' ', '-');
  }

  /** Returns the kind with this {@link #id}; upper case counts as lower case. */
  public static Optional<ResourceKind> ofId(String id) {
    return Arrays.stream(values()).filter(kind -> kind.id().equalsIgnoreCase(id)).findFirst();
  }

  /** Returns the kind in words, for messages. */
  @Override
  public String toString() {
    return words;
  }
}

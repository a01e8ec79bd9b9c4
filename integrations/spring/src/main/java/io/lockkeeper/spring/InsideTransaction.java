package io.lockkeeper.spring;

/**
 * The choices for a {@link Locked} method that releases on {@link ReleasePoint#COMPLETION} and is
 * called inside a transaction: its lock is released before the commit, and the next holder does not
 * see what it has written.
 */
public enum InsideTransaction {
  /** A warning, once for each method. */
  WARN,
  /** The call throws {@link IllegalStateException}. */
  FAIL,
  /** Nothing. */
  ALLOW
}

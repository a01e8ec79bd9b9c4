package io.lockkeeper.bench.worker;

/** How the threads of a contest share names. */
public enum Names {
  /** All threads want the same lock. */
  ONE,
  /** Each thread has a lock of its own. */
  OWN,
  /** For each acquisition a thread draws one of {@link #COUNT} locks. */
  MANY;

  /** How many locks {@link #MANY} are. */
  public static final int COUNT = 1_000;
}

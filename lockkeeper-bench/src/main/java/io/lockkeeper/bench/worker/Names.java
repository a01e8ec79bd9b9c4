package io.lockkeeper.bench.worker;

/** How the threads of a contest share names. */
public enum Names {
  /** All threads want the same lock. */
  ONE,
  /** Each thread has a lock of its own. */
  OWN
}

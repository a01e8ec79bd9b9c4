package io.lockkeeper.lab.oversell;

/** What stands before the critical section. Used by many threads at once. */
public interface Guard {

  /** The token of a guard that gives none. */
  long NO_TOKEN = -1;

  /** Waits for admission and returns its fencing token, or {@link #NO_TOKEN}. */
  long enter() throws InterruptedException;

  /** Leaves; called by the thread that entered. */
  void exit();
}

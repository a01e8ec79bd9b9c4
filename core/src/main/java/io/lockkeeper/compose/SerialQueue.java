package io.lockkeeper.compose;

/**
 * Tasks that run on a client's executor, one at a time and in the order in which they were added.
 */
public interface SerialQueue {

  /** Adds a task. Runs nothing, so it can be done under a lock. */
  void add(Runnable task);

  /** Starts to run what was added. Called without a lock. */
  void drain();
}

package io.lockkeeper.bench.locks;

/** One lock of one contender, reduced to the two calls that are measured. */
public interface ContestedLock {

  /** Waits until the lock is held by the current thread. */
  void lock();

  /** Gives the lock back. */
  void unlock();
}

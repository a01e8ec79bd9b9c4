package io.lockkeeper.bench.locks;

/** A counter as a contender: to lock is to increment it, and there is nothing to give back. */
record Increment(Runnable increment) implements ContestedLock {

  @Override
  public void lock() {
    increment.run();
  }

  @Override
  public void unlock() {}
}

package io.lockkeeper.bench.locks;

/**
 * What is done and leaves nothing to give back, as a contender: to lock is to do it. The increment
 * of a counter, the life of a latch.
 */
record Deed(Runnable deed) implements ContestedLock {

  @Override
  public void lock() {
    deed.run();
  }

  @Override
  public void unlock() {}
}

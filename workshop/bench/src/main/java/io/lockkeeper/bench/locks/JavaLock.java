package io.lockkeeper.bench.locks;

import java.util.concurrent.locks.Lock;

/** Any {@link Lock} as a contender. */
record JavaLock(Lock target) implements ContestedLock {

  @Override
  public void lock() {
    target.lock();
  }

  @Override
  public void unlock() {
    target.unlock();
  }
}

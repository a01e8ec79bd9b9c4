package io.lockkeeper.lab.oversell.strategy;

import java.util.concurrent.locks.Lock;

/**
 * A lock that gives no token, as a guard.
 *
 * @param lock the lock
 */
record JavaLock(Lock lock) implements Guard {

  @Override
  public long enter() {
    lock.lock();
    return NO_TOKEN;
  }

  @Override
  public void exit() {
    lock.unlock();
  }
}

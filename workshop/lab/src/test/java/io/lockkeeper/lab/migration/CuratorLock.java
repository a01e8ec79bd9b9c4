package io.lockkeeper.lab.migration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** Curator's mutex as a {@link Lock}, as the guide shows it. */
record CuratorLock(InterProcessMutex mutex) implements Lock {

  @Override
  public void lock() {
    try {
      mutex.acquire();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    boolean unused = tryLock(-1, TimeUnit.MILLISECONDS); // waits without a limit
  }

  @Override
  public boolean tryLock() {
    try {
      return mutex.acquire(0, TimeUnit.MILLISECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    try {
      return mutex.acquire(time, unit);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void unlock() {
    try {
      mutex.release();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException();
  }
}

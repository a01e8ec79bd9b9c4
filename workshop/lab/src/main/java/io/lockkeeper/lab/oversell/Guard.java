package io.lockkeeper.lab.oversell;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** What stands before the critical section. Used by many threads at once. */
public interface Guard {

  /** The token of a guard that gives none. */
  long NO_TOKEN = -1;

  /** Waits for admission and returns its fencing token, or {@link #NO_TOKEN}. */
  long enter() throws InterruptedException;

  /** Leaves; called by the thread that entered. */
  void exit();

  /**
   * A strategy at work in one process: its connections, shared by all threads.
   *
   * @param guard returns the guard of a name, the same in all processes
   * @param end closes the connections
   */
  record Guards(Function<String, Guard> guard, Runnable end) {

    /** Returns guards that are locks of Java's interface, which give no tokens. */
    static Guards ofLocks(Function<String, Lock> locks, Runnable end) {
      Map<String, Guard> known = new ConcurrentHashMap<>();
      return new Guards(
          name -> known.computeIfAbsent(name, it -> new JavaLock(locks.apply(it))), end);
    }

    private record JavaLock(Lock lock) implements Guard {

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
  }
}

package io.lockkeeper.lab.oversell;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.LongSupplier;

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
      return new Guards(name -> known.computeIfAbsent(name, it -> of(locks.apply(it))), end);
    }

    private static Guard of(Lock lock) {
      return Guard.of(lock::lock, lock::unlock);
    }
  }

  /** What a library does, with its own exceptions. */
  interface Step {
    void run() throws Exception;
  }

  /** Returns a guard that gives no tokens. */
  static Guard of(Step entering, Step exiting) {
    return new Steps(entering, () -> NO_TOKEN, exiting);
  }

  /** A guard of a library's own calls. */
  record Steps(Step entering, LongSupplier token, Step exiting) implements Guard {

    @Override
    public long enter() throws InterruptedException {
      run(entering);
      return token.getAsLong();
    }

    @Override
    public void exit() {
      try {
        run(exiting);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void run(Step step) throws InterruptedException {
      try {
        step.run();
      } catch (RuntimeException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

package io.lockkeeper;

import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Does work under a lock that the current thread has just taken, and unlocks it. */
final class Locked {

  private Locked() {}

  static <E extends Exception> void run(Lock lock, LeaseLock.Action<E> body) throws E {
    try {
      body.run();
    } catch (Throwable failure) {
      unlockAfter(failure, lock);
      throw failure;
    }
    lock.unlock();
  }

  static <T extends @Nullable Object, E extends Exception> T call(
      Lock lock, LeaseLock.Task<T, E> body) throws E {
    T result;
    try {
      result = body.call();
    } catch (Throwable failure) {
      unlockAfter(failure, lock);
      throw failure;
    }
    lock.unlock();
    return result;
  }

  private static void unlockAfter(Throwable failure, Lock lock) {
    try {
      lock.unlock();
    } catch (Throwable more) {
      failure.addSuppressed(more);
    }
  }
}

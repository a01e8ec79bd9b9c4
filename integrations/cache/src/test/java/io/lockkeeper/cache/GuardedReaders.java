package io.lockkeeper.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many threads that read a cache at once. */
final class GuardedReaders implements AutoCloseable {

  private final Set<Thread> made = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "reader");
            made.add(thread);
            return thread;
          });

  /** Begins something on another thread. */
  <T> Future<T> begin(Callable<T> task) {
    return threads.submit(task);
  }

  /** Begins the same on many threads. */
  <T> List<Future<T>> begin(int count, Callable<T> task) {
    List<Future<T>> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      begun.add(begin(task));
    }
    return begun;
  }

  /** Returns how many of the threads wait for what another one loads. */
  long waiting() {
    return made.stream().filter(GuardedReaders::isWaiting).count();
  }

  private static boolean isWaiting(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(Flight.class.getName()));
  }

  /** Returns a result, or throws the task's own exception. */
  static <T> T get(Future<T> result) throws Exception {
    try {
      return result.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

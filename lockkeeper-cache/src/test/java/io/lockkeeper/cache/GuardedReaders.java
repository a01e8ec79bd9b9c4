package io.lockkeeper.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many threads that read a cache at once. */
final class GuardedReaders implements AutoCloseable {

  private final ExecutorService threads = Executors.newCachedThreadPool();

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

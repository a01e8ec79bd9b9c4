package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.Scheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Helpers about threads. */
public final class Threads {

  private Threads() {}

  /** Returns a scheduler of one daemon thread. */
  public static Scheduler scheduler() {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "testkit-scheduler");
              made.setDaemon(true);
              return made;
            });
    return new Scheduler() {
      @Override
      public Cancellable schedule(Runnable task, long delayNanos) {
        ScheduledFuture<?> future = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
      }

      @Override
      public void close() {
        thread.shutdownNow();
      }
    };
  }

  /** Returns all live threads. */
  public static Set<Thread> all() {
    Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
    all.removeIf(thread -> !thread.isAlive());
    return all;
  }

  /** Returns the names of the live threads that belong to this library. */
  public static List<String> ofLibrary() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("lockkeeper-"))
        .sorted()
        .toList();
  }
}

package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.Scheduler;
import java.util.Arrays;
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

  /** Returns all live threads of the caller's group and of those below it. */
  public static Set<Thread> all() {
    return all(Thread.currentThread().getThreadGroup());
  }

  private static Set<Thread> all(ThreadGroup group) {
    Thread[] found = new Thread[64];
    int count = group.enumerate(found);
    while (count == found.length) { // there may be more than there was room for
      found = new Thread[2 * count];
      count = group.enumerate(found);
    }
    return new HashSet<>(Arrays.asList(found).subList(0, count));
  }

  /** Returns the names of those threads of the caller's group that belong to this library. */
  public static List<String> ofLibrary() {
    return ofLibrary(Thread.currentThread().getThreadGroup());
  }

  /** Returns the names of a group's threads that belong to this library. */
  static List<String> ofLibrary(ThreadGroup group) {
    return all(group).stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("lockkeeper-"))
        .sorted()
        .toList();
  }
}

package io.lockkeeper.engine.runtime;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import java.security.SecureRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Provides the machine's own time, scheduler and randomness. */
public final class SystemEnvironment {

  private SystemEnvironment() {}

  /** Creates it. */
  public static Environment create() {
    return new Environment(new SuspendAwareClock(), ThreadScheduler::new, new SecureRandom());
  }

  /** Runs tasks on one daemon thread. */
  private static final class ThreadScheduler implements Scheduler {

    private static final Cancellable NOTHING = () -> {};

    private final ScheduledThreadPoolExecutor thread;

    ThreadScheduler() {
      thread =
          new ScheduledThreadPoolExecutor(
              1, task -> DaemonThreads.create(task, "lockkeeper-scheduler"));
      thread.setRemoveOnCancelPolicy(true);
      thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      thread.prestartCoreThread(); // later there may be no thread to be had
    }

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      try {
        ScheduledFuture<?> future = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
      } catch (RejectedExecutionException closed) {
        return NOTHING;
      }
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}

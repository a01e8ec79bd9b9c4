package io.lockkeeper.jdbc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The calls under way, oldest first, and what ends those that take too long: a thread may be stuck
 * in a driver whose server is gone, and the engine must hear of its calls all the same.
 *
 * <p>All calls have the same time limit, so the oldest is the first to be due. While there are any,
 * a timer looks now and then.
 */
final class Deadlines {

  private static final int LOOKS_PER_LIMIT = 8;

  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private final long limitNanos;
  private final Supplier<Failure> late;
  private final ScheduledThreadPoolExecutor timer;

  /**
   * Creates it.
   *
   * @param late says why there is no answer when the time is up
   */
  Deadlines(long limitNanos, Supplier<Failure> late) {
    this.limitNanos = limitNanos;
    this.late = late;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "lockkeeper-jdbc-timer");
              thread.setDaemon(true);
              return thread;
            });
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void add(Call<?> call) {
    calls.add(call);
    tickLater();
  }

  private void tickLater() {
    if (ticking.compareAndSet(false, true)) {
      try {
        long pauseNanos = limitNanos / LOOKS_PER_LIMIT + 1;
        var unused = timer.schedule(this::tick, pauseNanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException closed) {
        // The queue is closed too, and ends the calls that come now.
      }
    }
  }

  private void tick() {
    long now = System.nanoTime();
    Call<?> oldest = calls.peek();
    while (oldest != null && (oldest.outcome.isDone() || oldest.deadlineNanos - now <= 0)) {
      if (!oldest.outcome.isDone()) {
        oldest.fail(late.get());
      }
      calls.poll();
      oldest = calls.peek();
    }
    ticking.set(false);
    if (!calls.isEmpty()) {
      tickLater();
    }
  }

  void close() {
    timer.shutdownNow();
  }
}

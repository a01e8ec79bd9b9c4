package io.lockkeeper.engine;

import io.lockkeeper.spi.Scheduler;
import java.util.PriorityQueue;

/** A scheduler that runs what is due when a test calls it, on the calling thread. */
public final class ManualScheduler implements Scheduler {

  private record Task(long dueNanos, long order, Runnable action) implements Comparable<Task> {

    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime == 0 ? Long.compare(order, other.order) : byTime;
    }
  }

  private final ManualTime time;
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long orders;
  private boolean closed;
  private Error fault;

  public ManualScheduler(ManualTime time) {
    this.time = time;
  }

  @Override
  public synchronized Cancellable schedule(Runnable action, long delayNanos) {
    if (closed) {
      return () -> {};
    }
    if (fault != null) {
      throw fault;
    }
    Task task = new Task(time.nanos() + Math.max(0, delayNanos), orders++, action);
    tasks.add(task);
    return () -> cancel(task);
  }

  /** Has every task refused with an error from now on, or with null none any more. */
  public synchronized void fail(Error failure) {
    fault = failure;
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  @Override
  public synchronized void close() {
    closed = true;
    tasks.clear();
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /** Returns how many tasks wait for their time. */
  public synchronized int pending() {
    return tasks.size();
  }

  /**
   * Moves the clock to the next task that is due by then, and runs it; returns false if none is.
   */
  public boolean runNext(long untilNanos) {
    Task task = takeNext(untilNanos);
    if (task == null) {
      return false;
    }
    time.advanceTo(task.dueNanos());
    task.action().run();
    return true;
  }

  private synchronized Task takeNext(long untilNanos) {
    Task next = tasks.peek();
    return next == null || next.dueNanos() > untilNanos ? null : tasks.remove();
  }
}

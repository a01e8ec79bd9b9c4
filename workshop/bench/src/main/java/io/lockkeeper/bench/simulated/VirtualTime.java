package io.lockkeeper.bench.simulated;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Probe;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Virtual time and all that is going to happen in it, in one thread and one reproducible order. */
final class VirtualTime implements TimeSource {

  private record Event(long atNanos, long order, Runnable action) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long orders;

  @Override
  public long nanos() {
    return nowNanos;
  }

  /** Plans something for a moment; what is planned for the same one happens in this order. */
  void at(long atNanos, Runnable action) {
    events.add(new Event(Math.max(atNanos, nowNanos), orders++, action));
  }

  /** Plans something for so much later. */
  void after(long delayNanos, Runnable action) {
    at(nowNanos + delayNanos, action);
  }

  /** Lets the next thing happen; returns false if there is none up to a moment. */
  boolean step(long untilNanos) {
    Event next = events.peek();
    if (next == null || next.atNanos() > untilNanos) {
      return false;
    }
    events.remove();
    nowNanos = next.atNanos();
    next.action().run();
    return true;
  }

  /** Returns a machine for one client. */
  Environment environment(SplittableRandom random) {
    return new Environment(
        this, this::scheduler, random, Probe.NONE, callback -> after(0, callback));
  }

  private Scheduler scheduler() {
    return new Scheduler() {
      @Override
      public Cancellable schedule(Runnable task, long delayNanos) {
        Timer timer = new Timer(task);
        after(delayNanos, timer);
        return timer;
      }

      @Override
      public void close() {
        // events of a closed client find nothing to do
      }
    };
  }

  /** A task that lets go of what it was to do once it is cancelled: such timers are many. */
  private static final class Timer implements Runnable, Scheduler.Cancellable {

    private Runnable task;

    Timer(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      task.run();
    }

    @Override
    public void cancel() {
      task = () -> {};
    }
  }
}

package io.lockkeeper.testkit.sim;

import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Simulated time and all that is going to happen in it, in a reproducible order. */
final class SimWorld {

  private record Event(long atNanos, long order, @Nullable SimProcess process, Runnable action)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** True to print what happens: to understand a seed that broke a promise. */
  private static final boolean TRACING = Boolean.getBoolean("lockkeeper.sim.trace");

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long orders;
  private long steps;

  /** Returns the true time. */
  long nowNanos() {
    return nowNanos;
  }

  /** Returns how many events have happened. */
  long steps() {
    return steps;
  }

  /** Plans an event; one that belongs to a process waits while that is paused and dies with it. */
  void at(long atNanos, @Nullable SimProcess process, Runnable action) {
    events.add(new Event(Math.max(atNanos, nowNanos), orders++, process, action));
  }

  /** Makes the next event happen; returns false if there is none. */
  boolean step() {
    for (Event event = events.poll(); event != null; event = events.poll()) {
      SimProcess process = event.process();
      if (process != null && process.isCrashed()) {
        continue;
      }
      nowNanos = Math.max(nowNanos, event.atNanos());
      if (process != null && process.pausedUntilNanos() > nowNanos) {
        // Keeps its place in the order: what was delivered first is seen first after the pause.
        events.add(new Event(process.pausedUntilNanos(), event.order(), process, event.action()));
        continue;
      }
      steps++;
      event.action().run();
      return true;
    }
    return false;
  }

  /** Prints a line about what happens, if that is wanted. */
  void trace(Supplier<String> line) {
    if (TRACING) {
      System.out.printf("%,14d us  %s%n", nowNanos / 1_000, line.get());
    }
  }
}

package io.lockkeeper.lab.scene;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The points at which watched orders have been, for threads that wait for one. */
final class Marks {

  private final List<Mark> seen = new ArrayList<>(); // guarded by this

  synchronized void add(Mark mark) {
    seen.add(mark);
    notifyAll();
  }

  /** Has those who wait look again. */
  synchronized void changed() {
    notifyAll();
  }

  synchronized List<Mark> all() {
    return List.copyOf(seen);
  }

  /** Waits until a condition holds; returns whether it does. */
  synchronized boolean await(BooleanSupplier condition, Duration limit)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /**
   * A watched order was at a point.
   *
   * @param instance in which process, from 1
   * @param nanos when, by the clock that all processes of a machine share
   */
  record Mark(int instance, String order, String point, long nanos) {

    /** Reads what an instance says, without the word before it. */
    static Mark of(int instance, String line) {
      String[] parts = line.split(" ", 3);
      return new Mark(instance, parts[0], parts[1], Long.parseLong(parts[2]));
    }
  }
}

package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.lab.report.Histograms;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A thread that takes and gives back a lock again and again until the window ends.
 *
 * <p>Only acquisitions inside the window are counted. Every wait is recorded, also one that
 * outlasts the window: the longest are the ones that matter, and cutting them off would hide them.
 */
final class Contestant {

  private final ContestedLock lock;
  private final Runnable work;
  private final @Nullable Runnable around;
  private final Witness witness;
  private final Measure measure;
  private final Problems problems;
  private final Histogram times = Histograms.create();
  private long startNanos;
  private long endNanos;
  private long counted;
  private long total;

  /**
   * Creates a contestant.
   *
   * @param work what it does while it holds the lock
   * @param around what it does before it asks for the lock; null for nothing
   */
  Contestant(
      ContestedLock lock,
      Runnable work,
      @Nullable Runnable around,
      Witness witness,
      Measure measure,
      Problems problems) {
    this.lock = lock;
    this.work = work;
    this.around = around;
    this.witness = witness;
    this.measure = measure;
    this.problems = problems;
  }

  void setWindow(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  void run() {
    long before = awaitStart();
    while (before - endNanos < 0) {
      try {
        before = acquireOnce(workAround(before));
      } catch (RuntimeException e) {
        problems.add(e);
        before = System.nanoTime();
      }
    }
  }

  /** Does what is to be done before, and returns the time. */
  private long workAround(long now) {
    if (around == null) {
      return now;
    }
    around.run();
    return System.nanoTime();
  }

  private long acquireOnce(long before) {
    lock.lock();
    long held = System.nanoTime();
    try {
      witness.enter();
      work.run();
      witness.leave();
    } finally {
      lock.unlock();
    }
    long after = System.nanoTime();
    times.recordValue((measure == Measure.PAIR ? after : held) - before);
    total++;
    if (held - endNanos < 0) {
      counted++;
    }
    return after;
  }

  private long awaitStart() {
    Sleep.until(startNanos);
    return System.nanoTime();
  }

  Histogram times() {
    return times;
  }

  long counted() {
    return counted;
  }

  long total() {
    return total;
  }
}

package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A thread of a service: it pauses, draws a name, asks for its lock, holds it, gives it back, and
 * begins anew until the window ends.
 *
 * <p>It counts what it got inside the window. It records the wait of everything that it asked for
 * inside the window, also where that outlasts it.
 */
final class Caller {

  private final LockClient client;
  private final Contender contender;
  private final List<String> names;
  private final Schedule schedule;
  private final long holdNanos;
  private final Witness witness;
  private final Problems problems;
  private final Histogram waits = Histograms.create();
  private long startNanos;
  private long endNanos;
  private long counted;
  private long heldNanos;

  Caller(
      LockClient client,
      Contender contender,
      List<String> names,
      Schedule schedule,
      int holdMillis,
      Witness witness,
      Problems problems) {
    this.client = client;
    this.contender = contender;
    this.names = names;
    this.schedule = schedule;
    this.holdNanos = TimeUnit.MILLISECONDS.toNanos(holdMillis);
    this.witness = witness;
    this.problems = problems;
  }

  void setWindow(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /** Begins at once, before the window. */
  void run() {
    while (System.nanoTime() - endNanos < 0) {
      Sleep.nanos(schedule.nextPauseNanos());
      try {
        useOnce(names.get(schedule.nextName()));
      } catch (RuntimeException e) {
        problems.add(e);
      }
    }
  }

  private void useOnce(String name) {
    long asked = System.nanoTime();
    ContestedLock lock = client.lock(contender, name);
    lock.lock();
    long held = System.nanoTime();
    long released;
    try {
      witness.enter();
      Sleep.nanos(holdNanos);
      witness.leave();
    } finally {
      released = System.nanoTime();
      lock.unlock();
    }
    count(asked, held, released);
  }

  private void count(long asked, long held, long released) {
    if (isInside(asked)) {
      Histograms.record(waits, held - asked);
    }
    if (isInside(held)) {
      counted++;
    }
    heldNanos += Math.max(0, sinceStart(released) - sinceStart(held));
  }

  private boolean isInside(long nanos) {
    return nanos - startNanos >= 0 && nanos - endNanos < 0;
  }

  /** Returns the time since the start of the window, none before it and no more after its end. */
  private long sinceStart(long nanos) {
    return Math.min(endNanos - startNanos, Math.max(0, nanos - startNanos));
  }

  Histogram waits() {
    return waits;
  }

  long counted() {
    return counted;
  }

  long heldNanos() {
    return heldNanos;
  }
}

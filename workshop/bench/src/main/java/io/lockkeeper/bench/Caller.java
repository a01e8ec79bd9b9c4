package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.ContestedLock;
import io.lockkeeper.bench.locks.LockClient;
import io.lockkeeper.lab.report.Histograms;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a contest: it pauses if it is to, draws a name, asks for its lock, holds it, gives it
 * back, and begins anew until the window ends.
 *
 * <p>It counts the acquisitions inside the window. It records the time of everything that it asked
 * for inside the window, also where that outlasts it: the longest waits are the ones that matter.
 */
final class Caller {

  private final LockClient client;
  private final ContestSpec spec;
  private final Runnable work;
  private final Problems problems;
  private final SplittableRandom random;
  private final String[] names;
  private final @Nullable ContestedLock[] locks;
  private final Histogram times = Histograms.create();
  private long startNanos;
  private long endNanos;
  private long counted;
  private long total;
  private long heldNanos;

  /**
   * Creates one.
   *
   * @param number of the thread in its process
   * @param work what it does while it holds the lock
   */
  Caller(LockClient client, ContestSpec spec, int number, Runnable work, Problems problems) {
    this.client = client;
    this.spec = spec;
    this.work = work;
    this.problems = problems;
    this.random = new SplittableRandom(spec.seed() + number);
    this.names = names(spec, number);
    this.locks = new ContestedLock[names.length];
  }

  private static String[] names(ContestSpec spec, int number) {
    int count = spec.kind().names();
    if (count == Kind.OWN) {
      long process = ProcessHandle.current().pid();
      return new String[] {spec.name() + ":" + process + ":" + number};
    }
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = count == 1 ? spec.name() : spec.name() + ":" + i;
    }
    return names;
  }

  void setWindow(long newStartNanos, long newEndNanos) {
    startNanos = newStartNanos;
    endNanos = newEndNanos;
  }

  /** Begins at once, before the window. */
  void run() {
    while (System.nanoTime() - endNanos < 0) {
      Sleep.nanos(pauseNanos());
      try {
        useOnce(lock());
      } catch (RuntimeException e) {
        problems.add(e);
      }
    }
  }

  /** Returns any time from zero to twice the mean. */
  long pauseNanos() {
    long longest = 2 * TimeUnit.MILLISECONDS.toNanos(spec.kind().pauseMillis());
    return spec.paused() && longest > 0 ? random.nextLong(longest + 1) : 0;
  }

  private ContestedLock lock() {
    int drawn = names.length == 1 ? 0 : random.nextInt(names.length);
    ContestedLock known = locks[drawn];
    if (known == null) {
      known = client.lock(spec.contender(), names[drawn]);
      locks[drawn] = known;
    }
    return known;
  }

  private void useOnce(ContestedLock lock) {
    long asked = System.nanoTime();
    lock.lock();
    long held = System.nanoTime();
    long released;
    try {
      work.run();
    } finally {
      released = System.nanoTime();
      lock.unlock();
    }
    long time = (spec.kind().measuresPairs() ? System.nanoTime() : held) - asked;
    total++;
    if (isInside(asked)) {
      Histograms.record(times, time);
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

  Histogram times() {
    return times;
  }

  long counted() {
    return counted;
  }

  long total() {
    return total;
  }

  long heldNanos() {
    return heldNanos;
  }
}

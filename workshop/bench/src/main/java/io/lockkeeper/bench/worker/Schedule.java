package io.lockkeeper.bench.worker;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The pauses and names of one thread, by chance; the same ones for the same seed. */
final class Schedule {

  private final SplittableRandom random;
  private final long longestNanos;
  private final int names;

  /**
   * Creates a schedule.
   *
   * @param meanMillis the mean pause
   * @param names how many names there are
   */
  Schedule(long seed, int meanMillis, int names) {
    this.random = new SplittableRandom(seed);
    this.longestNanos = 2 * TimeUnit.MILLISECONDS.toNanos(meanMillis);
    this.names = names;
  }

  /** Returns how long to pause: any time from zero to twice the mean. */
  long nextPauseNanos() {
    return longestNanos == 0 ? 0 : random.nextLong(longestNanos + 1);
  }

  /** Returns which name to ask for, from 0. */
  int nextName() {
    return random.nextInt(names);
  }
}

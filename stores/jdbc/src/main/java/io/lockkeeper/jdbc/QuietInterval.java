package io.lockkeeper.jdbc;

import java.util.concurrent.TimeUnit;

/**
 * The interval between the polls of a client without a waiting claim: it may hold a lock that its
 * threads hand off, and has to learn soon that another client waits, or it may watch a cell.
 *
 * <p>Thread-safe.
 */
final class QuietInterval {

  static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The interval of a client that watches a cell, and for how long a watch counts. */
  static final long WATCHING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  static final long WATCHING_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Which part of the time since the client's last use passes between two polls. */
  private static final long PART = 16;

  private volatile long usedNanos;
  private volatile long watchedNanos;

  QuietInterval(long nowNanos) {
    usedNanos = nowNanos;
    watchedNanos = nowNanos - WATCHING_FOR_NANOS;
  }

  /** Records that the client is used; returns whether a poll may have been put off for long. */
  boolean used(long nowNanos) {
    boolean wasIdle = nowNanos - usedNanos > 2 * PART * SHORTEST_NANOS;
    usedNanos = nowNanos;
    return wasIdle;
  }

  /** Records that the client watches a cell; returns whether it did not before. */
  boolean watches(long nowNanos) {
    boolean isNew = nowNanos - watchedNanos >= WATCHING_FOR_NANOS;
    watchedNanos = nowNanos;
    return isNew;
  }

  /** Returns the interval. */
  long nanos(long nowNanos) {
    return nowNanos - watchedNanos < WATCHING_FOR_NANOS
        ? WATCHING_NANOS
        : Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, (nowNanos - usedNanos) / PART));
  }
}

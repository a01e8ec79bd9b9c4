package io.lockkeeper.bench;

import java.util.concurrent.locks.LockSupport;

/** Sleeps that end in time and that nobody interrupts. */
final class Sleep {

  private Sleep() {}

  /** Sleeps for so long; not at all for nothing. */
  static void nanos(long nanos) {
    until(System.nanoTime() + nanos);
  }

  /** Sleeps until a moment of {@link System#nanoTime()}. */
  static void until(long endNanos) {
    for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}

package io.lockkeeper.engine.runtime;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Scheduler.Cancellable;
import io.lockkeeper.spi.TimeSource;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives everything that a client does by itself: one scheduled scan at the earliest time at which
 * anything is due, and none while nothing is.
 *
 * <p>There is no timer per lock, so taking and releasing a lock ten thousand times a second leaves
 * no trail of timers, and what falls due together is sent together.
 */
final class Ticker {

  private static final long MIN_GAP_NANOS = 1_000_000;

  /** When to try again after a scan that failed as a whole. */
  private static final long BROKEN_SCAN_NANOS = 1_000_000_000;

  /** How often it is tried to plan the scan after a scan. */
  private static final int MOST_ATTEMPTS = 100;

  private static final long ATTEMPTS_APART_NANOS = 100_000_000;

  private final TimeSource time;
  private final Scheduler scheduler;

  /** Does what is due and returns when something is due next. */
  private final LongSupplier scan;

  /** Guards the plan. Nothing but the scheduler is called under it. */
  private final ReentrantLock planning = new ReentrantLock();

  /**
   * When the next scan is due; only ever moved earlier, until the scan itself resets it. Written
   * under {@link #planning}, read without it to spare the common case its price.
   */
  private volatile long nextNanos = Instants.NEVER;

  /** The next scan at the scheduler. Guarded by {@link #planning}. */
  private @Nullable Cancellable next;

  Ticker(TimeSource time, Scheduler scheduler, LongSupplier scan) {
    this.time = time;
    this.scheduler = scheduler;
    this.scan = scan;
  }

  /** Plans a scan by {@code dueNanos}. */
  void by(long dueNanos) {
    if (dueNanos >= nextNanos) {
      return;
    }
    planning.lock();
    try {
      if (dueNanos < nextNanos) {
        // First: if there is no memory for it, the one that was planned before stays.
        Cancellable earlier =
            scheduler.schedule(() -> tick(dueNanos), Math.max(0, dueNanos - time.nanos()));
        if (next != null) {
          next.cancel();
        }
        next = earlier;
        nextNanos = dueNanos;
      }
    } finally {
      planning.unlock();
    }
  }

  /** Takes up the scan that was planned for then; returns false if it has been replaced. */
  private boolean begin(long plannedNanos) {
    planning.lock();
    try {
      if (nextNanos != plannedNanos) {
        return false; // an earlier one was planned since, and will plan this one again
      }
      nextNanos = Instants.NEVER;
      next = null;
      return true;
    } finally {
      planning.unlock();
    }
  }

  private void tick(long plannedNanos) {
    if (!begin(plannedNanos)) {
      return;
    }
    long due = time.nanos() + BROKEN_SCAN_NANOS;
    try {
      due = scan.getAsLong();
    } finally {
      if (due != Instants.NEVER) {
        planNext(Math.max(due, time.nanos() + MIN_GAP_NANOS));
      }
    }
  }

  /** Plans the next scan, and tries that again for a while: perhaps nobody else asks for one. */
  private void planNext(long dueNanos) {
    for (int attempt = 1; ; attempt++) {
      try {
        by(dueNanos);
        return;
      } catch (Throwable failure) { // out of memory, for one
        if (attempt == MOST_ATTEMPTS) {
          throw failure;
        }
        LockSupport.parkNanos(ATTEMPTS_APART_NANOS);
      }
    }
  }
}

package io.lockkeeper.engine;

import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The beat that drives everything a client does by itself: one scheduled scan at the earliest time
 * at which any gate has something due, and none while nothing has.
 *
 * <p>There is no timer per lock, so taking and releasing a lock ten thousand times a second leaves
 * no trail of timers, and what falls due together is sent together.
 */
final class Pulse {

  private static final long MIN_GAP_NANOS = 1_000_000;

  private final TimeSource time;
  private final Scheduler scheduler;

  /** Does what is due and returns when something is due next. */
  private final LongSupplier scan;

  /** When the next scan is due; only ever moved earlier, until the scan itself resets it. */
  private final AtomicLong nextNanos = new AtomicLong(Margins.NEVER);

  Pulse(TimeSource time, Scheduler scheduler, LongSupplier scan) {
    this.time = time;
    this.scheduler = scheduler;
    this.scan = scan;
  }

  /** Has a scan run by {@code dueNanos}. */
  void by(long dueNanos) {
    long next = nextNanos.get();
    while (dueNanos < next) {
      if (nextNanos.compareAndSet(next, dueNanos)) {
        scheduler.schedule(() -> beat(dueNanos), Math.max(0, dueNanos - time.nanos()));
        return;
      }
      next = nextNanos.get();
    }
  }

  private void beat(long plannedNanos) {
    if (!nextNanos.compareAndSet(plannedNanos, Margins.NEVER)) {
      return; // an earlier one was planned since, and will plan this one again
    }
    long due = scan.getAsLong();
    if (due != Margins.NEVER) {
      by(Math.max(due, time.nanos() + MIN_GAP_NANOS));
    }
  }
}

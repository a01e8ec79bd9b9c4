package io.lockkeeper.lab.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What the threads of a soak have done so far. */
final class Counts {

  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();

  /** Counts one use. */
  void used(long nanos, boolean inVain) {
    uses.incrementAndGet();
    if (inVain) {
      timeouts.incrementAndGet();
    }
    slowestNanos.accumulateAndGet(nanos, Math::max);
  }

  /** Counts a use that went wrong, and says the first few. */
  void failed(Exception e) {
    uses.incrementAndGet();
    if (errors.incrementAndGet() <= 20) {
      System.out.println("a use failed: " + e);
    }
  }

  long uses() {
    return uses.get();
  }

  long timeouts() {
    return timeouts.get();
  }

  long errors() {
    return errors.get();
  }

  /** Returns the longest use since this was last asked. */
  double takeSlowestMillis() {
    return slowestNanos.getAndSet(0) / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }
}

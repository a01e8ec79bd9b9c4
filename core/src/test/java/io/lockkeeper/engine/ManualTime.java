package io.lockkeeper.engine;

import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test moves. It does not begin at zero, as real ones do not. */
public final class ManualTime implements TimeSource {

  private static final long BEGIN_NANOS = 1_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(BEGIN_NANOS);
  private final AtomicReference<Runnable> onNextReading = new AtomicReference<>();

  /** A thread that has not run for a while, and by how much the clock jumps for it. */
  private record Sleeper(Thread thread, long nanos) {}

  private volatile Sleeper sleeper;

  @Override
  public long nanos() {
    Runnable action = onNextReading.getAndSet(null);
    if (action != null) {
      action.run();
    }
    Sleeper late = sleeper;
    if (late != null && late.thread() == Thread.currentThread()) {
      sleeper = null;
      nanos.addAndGet(late.nanos());
    }
    return nanos.get();
  }

  public void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  public void advanceTo(long newNanos) {
    nanos.accumulateAndGet(newNanos, Math::max);
  }

  /** Does something in the middle of whatever asks for the time next. */
  public void onNextReading(Runnable action) {
    onNextReading.set(action);
  }

  /** Has the clock jump when the given thread asks for the time next: as if it had slept. */
  public void jumpFor(Thread thread, Duration time) {
    sleeper = new Sleeper(thread, time.toNanos());
  }
}

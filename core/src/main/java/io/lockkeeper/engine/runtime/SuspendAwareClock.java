package io.lockkeeper.engine.runtime;

import io.lockkeeper.spi.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures time monotonically, and counts the time during which the machine was suspended.
 *
 * <p>{@link System#nanoTime} stands still while a laptop sleeps or a virtual machine is paused, and
 * a lease that ran out meanwhile would look valid. The wall clock betrays the gap, but it also
 * jumps when somebody sets it. So each reading compares the two, which costs one more clock read;
 * only when they have drifted apart by more than 50 milliseconds is the system's boot-time clock
 * asked, which counts suspension and which nobody can set. Where there is none, a forward jump of
 * the wall clock counts as suspension: a lease may then be given up too early, never too late.
 *
 * <p>A paused virtual machine may show in none of them but the wall clock, once somebody has set
 * that right. A forward jump that the boot-time clock does not explain is therefore a doubt.
 */
final class SuspendAwareClock implements TimeSource {

  private static final long TOLERANCE_MILLIS = 50;

  /** How far the boot-time clock's readings may be off. */
  private static final long BOOT_COARSENESS_MILLIS = 20;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Path UPTIME = Path.of("/proc/uptime");

  private final LongSupplier monotonicNanos;
  private final LongSupplier wallMillis;
  private final Supplier<OptionalLong> bootMillis;
  private final long origin;
  private final ReentrantLock adjusting = new ReentrantLock();

  /** Wall clock minus monotonic clock at the last adjustment. Written under {@link #adjusting}. */
  private volatile long skewMillis;

  /** The suspended time counted so far; only grows. */
  private final AtomicLong suspendedNanos = new AtomicLong();

  /** The forward jumps of the wall clock that nothing explains; only grows. */
  private final AtomicLong doubts = new AtomicLong();

  /**
   * Boot-time clock minus monotonic clock at the last adjustment. Guarded by {@link #adjusting}.
   */
  private OptionalLong bootSkewMillis;

  SuspendAwareClock() {
    this(System::nanoTime, System::currentTimeMillis, SuspendAwareClock::readUptime);
  }

  SuspendAwareClock(
      LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> bootMillis) {
    this.monotonicNanos = monotonicNanos;
    this.wallMillis = wallMillis;
    this.bootMillis = bootMillis;
    this.origin = monotonicNanos.getAsLong();
    this.skewMillis = wallMillis.getAsLong();
    this.bootSkewMillis = bootMillis.get();
  }

  @Override
  public long nanos() {
    long monotonic = monotonicNanos.getAsLong() - origin;
    long skew = wallMillis.getAsLong() - monotonic / NANOS_PER_MILLI;
    if (Math.abs(skew - skewMillis) > TOLERANCE_MILLIS) {
      adjust();
      monotonic = monotonicNanos.getAsLong() - origin;
    }
    return monotonic + suspendedNanos.get();
  }

  @Override
  public long doubts() {
    return doubts.get();
  }

  private void adjust() {
    adjusting.lock();
    try {
      long monotonicMillis = (monotonicNanos.getAsLong() - origin) / NANOS_PER_MILLI;
      long skew = wallMillis.getAsLong() - monotonicMillis;
      long wallGap = skew - skewMillis;
      if (Math.abs(wallGap) <= TOLERANCE_MILLIS) {
        return; // another thread was faster
      }
      long suspended = Math.max(0, suspendedSince(monotonicMillis, wallGap));
      suspendedNanos.addAndGet(suspended * NANOS_PER_MILLI);
      if (wallGap - suspended > TOLERANCE_MILLIS) {
        doubts.incrementAndGet();
      }
      skewMillis = skew;
    } finally {
      adjusting.unlock();
    }
  }

  private long suspendedSince(long monotonicMillis, long wallGap) {
    OptionalLong boot = bootMillis.get();
    if (boot.isEmpty() || bootSkewMillis.isEmpty()) {
      return wallGap;
    }
    long bootSkew = boot.getAsLong() - monotonicMillis;
    long gap = bootSkew - bootSkewMillis.getAsLong();
    if (Math.abs(gap) <= BOOT_COARSENESS_MILLIS) {
      return 0;
    }
    bootSkewMillis = OptionalLong.of(bootSkew);
    return gap;
  }

  private static OptionalLong readUptime() {
    try {
      String seconds = Files.readString(UPTIME).split(" ", 2)[0];
      return OptionalLong.of(Math.round(Double.parseDouble(seconds) * 1000));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty(); // not Linux
    }
  }
}

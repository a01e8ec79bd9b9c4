package io.lockkeeper.testkit.tck;

import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/**
 * The lengths of time in tests, all multiplied by one factor: the system property {@code
 * lockkeeper.test.delayFactor}, 1 by default. Limits, which cost no time unless a test fails, are
 * multiplied by a measured factor too: by how much longer than its processor time a thread took for
 * a short computation, since other programs and tests use the processors.
 */
public final class Delays {

  private static final double FACTOR =
      Double.parseDouble(System.getProperty("lockkeeper.test.delayFactor", "1"));

  private static final double LOAD = load(20_000_000);

  private static final Duration FIRST_LOOK_AGAIN = Duration.ofMillis(2);
  private static final Duration LAST_LOOK_AGAIN = Duration.ofMillis(20);

  private Delays() {}

  private static double load(long cpuNanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isCurrentThreadCpuTimeSupported()) {
      return 1;
    }
    long begun = System.nanoTime();
    long end = threads.getCurrentThreadCpuTime() + cpuNanos;
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
    return Math.max(1, (System.nanoTime() - begun) / (double) cpuNanos);
  }

  /** Returns {@code millis} milliseconds times the factor. */
  public static Duration millis(long millis) {
    return Duration.ofNanos(Math.round(millis * 1_000_000.0 * FACTOR));
  }

  /** Returns {@code millis} milliseconds times both factors, for a limit that is not a measure. */
  public static Duration limit(long millis) {
    return millis(Math.round(millis * LOAD));
  }

  /** Returns how long to wait for something that must happen: a limit, not a measure. */
  public static Duration patience() {
    return limit(20_000);
  }

  /**
   * Waits for something that must happen. It looks often at first, and less often the longer it
   * waits: a look may be a question to a store, and many tests wait side by side.
   */
  public static ConditionFactory eventually() {
    return await()
        .pollInSameThread()
        .dontCatchUncaughtExceptions()
        .atMost(patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(IterativePollInterval.iterative(Delays::longer, FIRST_LOOK_AGAIN));
  }

  private static Duration longer(Duration interval) {
    Duration next = interval.multipliedBy(3).dividedBy(2);
    return next.compareTo(LAST_LOOK_AGAIN) < 0 ? next : LAST_LOOK_AGAIN;
  }

  /** How long a test may wait for much to be done, at a store where each step takes its time. */
  public static Duration work() {
    return limit(90_000);
  }
}

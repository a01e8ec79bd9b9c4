package io.lockkeeper.testkit.tck;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/**
 * The lengths of time in tests, all multiplied by one factor: the system property {@code
 * lockkeeper.test.delayFactor}, 1 by default. Raise it on a slow or loaded machine.
 */
public final class Delays {

  private static final double FACTOR =
      Double.parseDouble(System.getProperty("lockkeeper.test.delayFactor", "1"));

  private static final Duration FIRST_LOOK_AGAIN = Duration.ofMillis(2);
  private static final Duration LAST_LOOK_AGAIN = Duration.ofMillis(20);

  private Delays() {}

  /** Returns {@code millis} milliseconds times the factor. */
  public static Duration millis(long millis) {
    return Duration.ofNanos(Math.round(millis * 1_000_000.0 * FACTOR));
  }

  /** Returns how long to wait for something that must happen: a limit, not a measure. */
  public static Duration patience() {
    return millis(20_000);
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
    return millis(90_000);
  }
}

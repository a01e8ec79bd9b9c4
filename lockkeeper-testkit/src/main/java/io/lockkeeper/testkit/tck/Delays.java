package io.lockkeeper.testkit.tck;

import java.time.Duration;

/**
 * The lengths of time in tests, all multiplied by one factor: the system property {@code
 * lockkeeper.test.delayFactor}, 1 by default. Raise it on a slow or loaded machine.
 */
public final class Delays {

  private static final double FACTOR =
      Double.parseDouble(System.getProperty("lockkeeper.test.delayFactor", "1"));

  private Delays() {}

  /** Returns {@code millis} milliseconds times the factor. */
  public static Duration millis(long millis) {
    return Duration.ofNanos(Math.round(millis * 1_000_000.0 * FACTOR));
  }

  /** Returns how long to wait for something that must happen: a limit, not a measure. */
  public static Duration patience() {
    return millis(20_000);
  }

  /** How long a test may wait for much to be done, at a store where each step takes its time. */
  public static Duration work() {
    return millis(90_000);
  }
}

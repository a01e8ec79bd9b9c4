package io.lockkeeper;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;

/** The bounds on the length of a lease. */
final class Leases {

  static final Duration MIN = Duration.ofMillis(50);
  static final Duration MAX = Duration.ofHours(24);

  private static final int NANOS_PER_MILLI = 1_000_000;

  private Leases() {}

  static Duration check(Duration lease) {
    Objects.requireNonNull(lease, "lease");
    if (lease.compareTo(MIN) < 0 || lease.compareTo(MAX) > 0) {
      throw new IllegalArgumentException("a lease must be from 50 ms to 24 h, was " + text(lease));
    }
    return lease;
  }

  /**
   * Returns a duration for a message: exactly, in seconds, or in milliseconds below one. The API
   * does not use the SPI, whose DurationText writes the other messages.
   */
  static String text(Duration duration) {
    if (duration.getSeconds() == 0 && duration.getNano() % NANOS_PER_MILLI == 0) {
      return duration.toMillis() + " ms";
    }
    return BigDecimal.valueOf(duration.getSeconds())
            .add(BigDecimal.valueOf(duration.getNano(), 9))
            .stripTrailingZeros()
            .toPlainString()
        + " s";
  }
}

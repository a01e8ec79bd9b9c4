package io.lockkeeper.jdbc;

import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;

/**
 * The client of a store, as its steps see it.
 *
 * @param id its id
 * @param namespace what separates its resources from others'
 * @param timings the protocol's time limits
 * @param time measures intervals
 * @param notifications whether notifications come to other clients; if not, none are worked out
 */
record Client(
    String id, String namespace, Timings timings, TimeSource time, boolean notifications) {

  /** Returns how long a waiting claim lives without a sign of its client. */
  long heartbeatMicros() {
    return micros(timings.heartbeatMillis());
  }

  /**
   * Returns how much life a waiting claim must have left so that a sign of its client need not be
   * written down. It lets most polls do without a change of the database.
   */
  long freshMicros() {
    return heartbeatMicros() * 3 / 4;
  }

  static long micros(long millis) {
    return Math.multiplyExact(millis, 1_000L);
  }
}

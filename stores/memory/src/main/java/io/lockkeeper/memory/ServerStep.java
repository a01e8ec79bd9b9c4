package io.lockkeeper.memory;

import io.lockkeeper.spi.Timings;

/**
 * One atomic step of the server: who asks, when, and the notifications that come of it.
 *
 * @param clientId who asks
 * @param timings that client's time limits
 * @param nowMicros the server's clock, the same for the whole step
 * @param outbox where notifications go
 */
record ServerStep(String clientId, Timings timings, long nowMicros, Outbox outbox) {

  static long micros(long millis) {
    return Math.multiplyExact(millis, 1_000L);
  }

  long afterMillis(long millis) {
    return nowMicros + micros(millis);
  }

  /** When this client's waiting claims die if nothing is heard of it. */
  long heartbeatMicros() {
    return afterMillis(timings.heartbeatMillis());
  }

  long claimDeadlineMicros() {
    return micros(timings.claimDeadlineMillis());
  }
}

package io.lockkeeper.redis;

import io.lockkeeper.spi.Timings;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time limits that go with every call: those of the protocol, and for how long a lease may
 * outlive the server's memory, which is the longest lease that this client has asked for so far.
 */
final class Limits {

  private final String fixed;
  private final AfterLoss afterLoss;
  private final AtomicLong longestMillis = new AtomicLong();

  /** The limits as they are sent. Replaced after {@link #longestMillis} has grown. */
  private volatile byte[] bytes;

  Limits(Timings timings, AfterLoss afterLoss) {
    this.fixed =
        timings.heartbeatMillis()
            + " "
            + timings.claimDeadlineMillis()
            + " "
            + timings.tombstoneMillis()
            + " ";
    this.afterLoss = afterLoss;
    this.bytes = text(0);
  }

  /** Notes that a call asks for a lease of this length. */
  void asksFor(long leaseMillis) {
    if (afterLoss == AfterLoss.WAIT && leaseMillis > longestMillis.get()) {
      bytes = text(longestMillis.accumulateAndGet(leaseMillis, Math::max));
    }
  }

  /** Returns the limits for a call. */
  byte[] current() {
    return bytes;
  }

  private byte[] text(long graceMillis) {
    return (fixed + graceMillis).getBytes(StandardCharsets.US_ASCII);
  }
}

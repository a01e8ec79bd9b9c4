package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a lock over several nodes behaves. Immutable; each {@code with} method returns a copy. */
public final class QuorumOptions {

  /** How long one node may take before it counts as failed, unless set. */
  public static final Duration DEFAULT_NODE_TIMEOUT = Duration.ofMillis(250);

  private static final QuorumOptions DEFAULTS = new QuorumOptions(null, DEFAULT_NODE_TIMEOUT);

  private final @Nullable Duration lease;
  private final Duration nodeTimeout;

  private QuorumOptions(@Nullable Duration lease, Duration nodeTimeout) {
    this.lease = lease;
    this.nodeTimeout = nodeTimeout;
  }

  /** Returns the defaults: each client's own lease, and a node timeout of 250 milliseconds. */
  public static QuorumOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how long a hold lasts at each node without renewal.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public QuorumOptions withLease(Duration lease) {
    return new QuorumOptions(Leases.check(lease), nodeTimeout);
  }

  /**
   * Sets how long one node may take in one attempt. A node that takes longer counts as failed in
   * that attempt; an attempt without a majority is repeated after a random pause of at most the
   * same length. Make it several round trips long, and much shorter than the lease.
   *
   * @param nodeTimeout from 1 millisecond to 1 minute
   * @throws IllegalArgumentException if outside that range
   */
  public QuorumOptions withNodeTimeout(Duration nodeTimeout) {
    if (nodeTimeout.compareTo(Duration.ofMillis(1)) < 0
        || nodeTimeout.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "nodeTimeout must be from 1 ms to 1 min, was " + Leases.text(nodeTimeout));
    }
    return new QuorumOptions(lease, nodeTimeout);
  }

  /** Returns the lease's length, or empty for each client's default. */
  public Optional<Duration> lease() {
    return Optional.ofNullable(lease);
  }

  /** Returns how long one node may take. */
  public Duration nodeTimeout() {
    return nodeTimeout;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuorumOptions that
        && Objects.equals(lease, that.lease)
        && nodeTimeout.equals(that.nodeTimeout);
  }

  @Override
  public int hashCode() {
    return Objects.hash(lease, nodeTimeout);
  }

  @Override
  public String toString() {
    return "QuorumOptions[lease="
        + (lease == null ? "default" : lease)
        + ", nodeTimeout="
        + nodeTimeout
        + "]";
  }
}

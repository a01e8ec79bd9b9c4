package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a candidate behaves. Immutable; each {@code with} method returns a changed copy. */
public final class LeaderOptions {

  private static final LeaderOptions DEFAULTS = new LeaderOptions(null);

  private final @Nullable Duration lease;

  private LeaderOptions(@Nullable Duration lease) {
    this.lease = lease;
  }

  /** Returns the defaults: the client's lease. */
  public static LeaderOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how long a term lasts at the store without renewal, and so how long after a crash there is
   * no leader. It is renewed in the background.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public LeaderOptions withLease(Duration lease) {
    return new LeaderOptions(Leases.check(lease));
  }

  /** Returns the lease's length, or empty for the client's default. */
  public Optional<Duration> lease() {
    return Optional.ofNullable(lease);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LeaderOptions that && Objects.equals(lease, that.lease);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(lease);
  }

  @Override
  public String toString() {
    return "LeaderOptions[lease=" + (lease == null ? "default" : lease) + "]";
  }
}

package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one acquisition behaves. Immutable; each {@code with} method returns a changed copy. */
public final class AcquireOptions {

  private static final AcquireOptions DEFAULTS = new AcquireOptions(null, null);

  private final @Nullable Duration wait;
  private final @Nullable Duration fixedLease;

  private AcquireOptions(@Nullable Duration wait, @Nullable Duration fixedLease) {
    this.wait = wait;
    this.fixedLease = fixedLease;
  }

  /** Returns the defaults: wait as long as it takes, and renew until released. */
  public static AcquireOptions defaults() {
    return DEFAULTS;
  }

  /** Returns the defaults with a {@linkplain #withWait limited wait}. */
  public static AcquireOptions wait(Duration limit) {
    return DEFAULTS.withWait(limit);
  }

  /**
   * Returns the defaults with a {@linkplain #withFixedLease fixed lease}.
   *
   * @throws IllegalArgumentException if it is shorter than 50 milliseconds or longer than 24 hours
   */
  public static AcquireOptions fixedLease(Duration lease) {
    return DEFAULTS.withFixedLease(lease);
  }

  /** Limits the wait. Zero or less asks once and does not wait in the queue. */
  public AcquireOptions withWait(Duration wait) {
    return new AcquireOptions(Objects.requireNonNull(wait, "wait"), fixedLease);
  }

  /**
   * Gives the lease a fixed length: it is not renewed and ends by itself.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public AcquireOptions withFixedLease(Duration lease) {
    return new AcquireOptions(wait, Leases.check(lease));
  }

  /** Returns the limit on the wait, or empty for none. */
  public Optional<Duration> maxWait() {
    return Optional.ofNullable(wait);
  }

  /** Returns the fixed length of the lease, or empty if it is renewed. */
  public Optional<Duration> fixedLease() {
    return Optional.ofNullable(fixedLease);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AcquireOptions that
        && Objects.equals(wait, that.wait)
        && Objects.equals(fixedLease, that.fixedLease);
  }

  @Override
  public int hashCode() {
    return Objects.hash(wait, fixedLease);
  }

  @Override
  public String toString() {
    return "AcquireOptions[wait="
        + (wait == null ? "unlimited" : wait)
        + ", lease="
        + (fixedLease == null ? "renewed" : fixedLease)
        + "]";
  }
}

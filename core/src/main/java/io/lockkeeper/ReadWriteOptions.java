package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a read-write lock behaves. Immutable; each {@code with} method returns a changed copy. */
public final class ReadWriteOptions {

  private static final ReadWriteOptions DEFAULTS = new ReadWriteOptions(null, false, false);

  private final @Nullable Duration lease;
  private final boolean prefersReaders;
  private final boolean confirmedRelease;

  private ReadWriteOptions(
      @Nullable Duration lease, boolean prefersReaders, boolean confirmedRelease) {
    this.lease = lease;
    this.prefersReaders = prefersReaders;
    this.confirmedRelease = confirmedRelease;
  }

  /** Returns the defaults: the client's lease, renewed, and first come, first served. */
  public static ReadWriteOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how long a hold lasts at the store without renewal, and so how long a crashed holder
   * blocks the others. It is renewed in the background while held.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public ReadWriteOptions withLease(Duration lease) {
    return new ReadWriteOptions(Leases.check(lease), prefersReaders, confirmedRelease);
  }

  /**
   * Admits readers while others read, although writers came first. As long as readers follow each
   * other without a gap, they then keep the writers out.
   */
  public ReadWriteOptions withReadersPreferred() {
    return new ReadWriteOptions(lease, true, confirmedRelease);
  }

  /**
   * Sets whether {@code unlock()}, and {@code release()} and {@code close()} of a lease, wait until
   * the store has confirmed the release: of everything, or of the part that a writer gives up when
   * it goes on as a reader. As {@link LockOptions#withConfirmedRelease}.
   */
  public ReadWriteOptions withConfirmedRelease(boolean confirmed) {
    return new ReadWriteOptions(lease, prefersReaders, confirmed);
  }

  /** Returns the length of the lease, or empty for the client's default. */
  public Optional<Duration> lease() {
    return Optional.ofNullable(lease);
  }

  /** Returns whether readers pass writers that came first. */
  public boolean prefersReaders() {
    return prefersReaders;
  }

  /** Returns whether a release waits until the store has confirmed it. */
  public boolean confirmsRelease() {
    return confirmedRelease;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadWriteOptions that
        && Objects.equals(lease, that.lease)
        && prefersReaders == that.prefersReaders
        && confirmedRelease == that.confirmedRelease;
  }

  @Override
  public int hashCode() {
    return Objects.hash(lease, prefersReaders, confirmedRelease);
  }

  @Override
  public String toString() {
    return "ReadWriteOptions[lease="
        + (lease == null ? "default" : lease)
        + ", "
        + (prefersReaders ? "readers first" : "first come, first served")
        + ", confirmedRelease="
        + confirmedRelease
        + "]";
  }
}

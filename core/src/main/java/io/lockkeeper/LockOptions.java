package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a lock object behaves. Immutable; each {@code with} method returns a changed copy. */
public final class LockOptions {

  /**
   * The default number of times that a lock may be handed off between the threads of one client
   * while another client waits.
   */
  public static final int DEFAULT_LOCAL_PASSES = 64;

  /** The largest number of local hand-offs that can be set. */
  public static final int MAX_LOCAL_PASSES = 1_000;

  private static final LockOptions DEFAULTS =
      new LockOptions(null, DEFAULT_LOCAL_PASSES, null, true, false);

  private final @Nullable Duration lease;
  private final int maxLocalHandoffs;
  private final @Nullable Duration retention;
  private final boolean reentrant;
  private final boolean confirmedRelease;

  private LockOptions(
      @Nullable Duration lease,
      int maxLocalHandoffs,
      @Nullable Duration retention,
      boolean reentrant,
      boolean confirmedRelease) {
    this.lease = lease;
    this.maxLocalHandoffs = maxLocalHandoffs;
    this.retention = retention;
    this.reentrant = reentrant;
    this.confirmedRelease = confirmedRelease;
  }

  /** Returns the defaults: the client's lease, renewed, 64 local hand-offs, re-entrant. */
  public static LockOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how long a hold lasts at the store without renewal, and so how long a crashed holder
   * blocks the others. It is renewed in the background while held.
   *
   * @param lease from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public LockOptions withLease(Duration lease) {
    return new LockOptions(
        Leases.check(lease), maxLocalHandoffs, retention, reentrant, confirmedRelease);
  }

  /**
   * Sets how many times in a row this lock may be handed off between threads of one client while
   * another client waits. With 0, every release goes to the store. A fair lock ignores it: its
   * order is strict.
   *
   * @param maxLocalHandoffs from 0 to 1000
   * @throws IllegalArgumentException if outside that range
   */
  public LockOptions withMaxLocalHandoffs(int maxLocalHandoffs) {
    if (maxLocalHandoffs < 0 || maxLocalHandoffs > MAX_LOCAL_PASSES) {
      throw new IllegalArgumentException(
          "maxLocalHandoffs must be from 0 to " + MAX_LOCAL_PASSES + ", was " + maxLocalHandoffs);
    }
    return new LockOptions(lease, maxLocalHandoffs, retention, reentrant, confirmedRelease);
  }

  /**
   * Lets the client keep a released lock for a while, as long as nobody else waits, so that its
   * next acquisition costs nothing at the store. When another client begins to wait, the lock is
   * given back at once; a client that only tries without waiting finds it taken.
   *
   * <p>The price: if the process dies, the others wait for this long although nobody held the lock.
   * To bound that wait, leases are not longer than this either, and are renewed more often while
   * the lock is held. A fair lock ignores it, and so does a lock with a fixed lease.
   *
   * @param idle from 50 milliseconds to 24 hours
   * @throws IllegalArgumentException if outside that range
   */
  public LockOptions withRetention(Duration idle) {
    return new LockOptions(
        lease, maxLocalHandoffs, Leases.check(idle), reentrant, confirmedRelease);
  }

  /**
   * Sets whether the lock is re-entrant: whether a thread that holds it acquires it again. If not,
   * {@code lock()}, {@code lockInterruptibly()} and {@code tryLock} with a time throw {@link
   * IllegalStateException} in a thread that holds the lock, which would otherwise wait for itself;
   * {@code tryLock()} returns false, and one {@code unlock()} frees the lock. The options of the
   * object that is called decide, not those of the object through which the thread holds the lock.
   * Leases never re-enter.
   */
  public LockOptions withReentrant(boolean reentrant) {
    return new LockOptions(lease, maxLocalHandoffs, retention, reentrant, confirmedRelease);
  }

  /**
   * Sets whether {@code unlock()}, and {@code release()} and {@code close()} of a lease, wait until
   * the store has confirmed the release. Use it if you then tell another process that the lock is
   * free. Without it they return at once, and for some milliseconds a {@code tryLock()} of another
   * client may still find the lock taken. A lock that is handed off to a waiting thread of this
   * client is not released at the store, so such a release does not wait. An idle lease is not
   * kept.
   *
   * <p>The wait ignores interrupts, keeps the interrupted status, and lasts for at most the store
   * timeout; then it ends with a {@link StoreUnavailableException}. The calling thread then does
   * not hold the lock, the release is retried in the background, and without it the lease expires
   * at the store.
   */
  public LockOptions withConfirmedRelease(boolean confirmed) {
    return new LockOptions(lease, maxLocalHandoffs, retention, reentrant, confirmed);
  }

  /** Returns the length of the lease, or empty for the client's default. */
  public Optional<Duration> lease() {
    return Optional.ofNullable(lease);
  }

  /** Returns the largest number of local hand-offs in a row. */
  public int maxLocalHandoffs() {
    return maxLocalHandoffs;
  }

  /** Returns how long a released lock is kept while nobody waits, or empty for not at all. */
  public Optional<Duration> retention() {
    return Optional.ofNullable(retention);
  }

  /** Returns whether a thread that holds the lock acquires it again. */
  public boolean isReentrant() {
    return reentrant;
  }

  /** Returns whether a release waits until the store has confirmed it. */
  public boolean confirmsRelease() {
    return confirmedRelease;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LockOptions that
        && Objects.equals(lease, that.lease)
        && maxLocalHandoffs == that.maxLocalHandoffs
        && Objects.equals(retention, that.retention)
        && reentrant == that.reentrant
        && confirmedRelease == that.confirmedRelease;
  }

  @Override
  public int hashCode() {
    return Objects.hash(lease, maxLocalHandoffs, retention, reentrant, confirmedRelease);
  }

  @Override
  public String toString() {
    return "LockOptions[lease="
        + (lease == null ? "default" : lease)
        + ", maxLocalHandoffs="
        + maxLocalHandoffs
        + ", retention="
        + (retention == null ? "none" : retention)
        + ", reentrant="
        + reentrant
        + ", confirmedRelease="
        + confirmedRelease
        + "]";
  }
}

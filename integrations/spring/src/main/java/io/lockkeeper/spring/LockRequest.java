package io.lockkeeper.spring;

import io.lockkeeper.AcquireOptions;
import java.util.List;
import java.util.Objects;

/**
 * A request to acquire locks, for {@link LockTemplate}. Immutable; each {@code with} method returns
 * a changed copy.
 *
 * @param names the names; several are one {@link io.lockkeeper.MultiLock}
 * @param mode the kind of lock
 * @param permits if positive, a semaphore with so many permits, one of which is taken
 * @param options the limit on the wait, and the fixed time for which to hold
 */
public record LockRequest(List<String> names, LockMode mode, int permits, AcquireOptions options) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there is no name, if {@code permits} is negative, or if
   *     there are permits and several names or another mode than {@link LockMode#LOCK}
   */
  public LockRequest {
    names = List.copyOf(names);
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(options, "options");
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a lock needs a name");
    }
    if (permits < 0) {
      throw new IllegalArgumentException("permits must not be negative, was " + permits);
    }
    if (permits > 0 && (names.size() > 1 || mode != LockMode.LOCK)) {
      throw new IllegalArgumentException(
          "a semaphore has one name and no mode, was " + names + " with " + mode);
    }
  }

  /** Returns the request for these locks, all or none, waiting as long as it takes. */
  public static LockRequest of(String... names) {
    return new LockRequest(List.of(names), LockMode.LOCK, 0, AcquireOptions.defaults());
  }

  /** Sets the kind of lock. */
  public LockRequest withMode(LockMode mode) {
    return new LockRequest(names, mode, permits, options);
  }

  /** Asks for one permit of a semaphore that has so many. */
  public LockRequest withPermits(int permits) {
    return new LockRequest(names, mode, permits, options);
  }

  /** Sets the limit on the wait, and the fixed time for which to hold. */
  public LockRequest with(AcquireOptions options) {
    return new LockRequest(names, mode, permits, options);
  }

  @Override
  public String toString() {
    return (permits > 0 ? "a permit of " : "") + String.join(", ", names);
  }
}

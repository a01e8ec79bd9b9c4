package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the limit on the wait passed before the resource was granted. Nothing is held, and
 * nothing is left in the queue.
 */
public final class AcquireTimeoutException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public AcquireTimeoutException(String message) {
    this(message, null);
  }

  /**
   * Creates the exception.
   *
   * @param cause why the store had not answered last when the time was over; null if it had
   */
  public AcquireTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

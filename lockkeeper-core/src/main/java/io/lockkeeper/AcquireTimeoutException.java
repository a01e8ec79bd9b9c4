package io.lockkeeper;

/**
 * Thrown when the limit on the wait passed before the resource was granted. Nothing is held, and
 * nothing is left in the queue.
 */
public final class AcquireTimeoutException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public AcquireTimeoutException(String message) {
    super(message, null);
  }
}

package io.lockkeeper.integration;

/**
 * Thrown when a thread was interrupted while it waited for the lock of a method that cannot throw
 * {@link InterruptedException}. Nothing is held; the interrupted status is set.
 */
public final class LockInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public LockInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
  }
}

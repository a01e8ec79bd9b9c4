package io.lockkeeper.spring;

/**
 * Thrown when a thread was interrupted while it waited for its lock, and the method does not
 * declare {@link InterruptedException}. Nothing is held; the interrupted status is set.
 */
public final class LockInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public LockInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
  }
}

package io.lockkeeper;

/** Thrown when the client was closed before or during the call. */
public final class LockkeeperClosedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public LockkeeperClosedException(String message) {
    super(message, null);
  }
}

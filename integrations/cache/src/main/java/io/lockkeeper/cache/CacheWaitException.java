package io.lockkeeper.cache;

/** Thrown when somebody else was still loading a value when the limit on the wait had passed. */
public final class CacheWaitException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public CacheWaitException(String message) {
    super(message);
  }
}

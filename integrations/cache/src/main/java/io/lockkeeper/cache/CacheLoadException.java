package io.lockkeeper.cache;

/**
 * Thrown when a loader failed, to its caller and to all threads of this client that waited for it.
 * The cause is what the loader threw.
 */
public final class CacheLoadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public CacheLoadException(String message, Throwable cause) {
    super(message, cause);
  }
}

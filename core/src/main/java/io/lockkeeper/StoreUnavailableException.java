package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store gave no answer. Nothing is held: if a request got through after all, it is
 * undone as soon as the store answers again, and at the latest when its lease ends. A lasting
 * change (of a counter, a shared value, a latch) may have been made, or may still be.
 */
public final class StoreUnavailableException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

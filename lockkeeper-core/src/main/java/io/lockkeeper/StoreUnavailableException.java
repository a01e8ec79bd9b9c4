package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * The store gave no answer. Nothing is held; should a request have got through after all, it is
 * undone as soon as the store answers again, and at the latest by its lease. What was to be changed
 * for good (a counter, a shared value, a latch) may have been changed, or may still be.
 */
public final class StoreUnavailableException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * The superclass of all failures other than misuse. Misuse throws the JDK's own {@link
 * IllegalArgumentException}, {@link IllegalMonitorStateException} and {@link
 * IllegalStateException}.
 */
public abstract sealed class LockkeeperException extends RuntimeException
    permits AcquireTimeoutException,
        DeadlockException,
        LatchDeletedException,
        LeaseLostException,
        LockkeeperClosedException,
        StaleTokenException,
        StoreRefusedException,
        StoreUnavailableException {

  private static final long serialVersionUID = 1L;

  LockkeeperException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

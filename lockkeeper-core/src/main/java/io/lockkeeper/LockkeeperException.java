package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong with a lock beyond misuse. Misuse itself is answered with the JDK's own {@link
 * IllegalArgumentException}, {@link IllegalMonitorStateException} and {@link
 * IllegalStateException}.
 */
public abstract sealed class LockkeeperException extends RuntimeException
    permits AcquireTimeoutException,
        DeadlockException,
        LatchDeletedException,
        LeaseLostException,
        LockkeeperClosedException,
        StoreRefusedException,
        StoreUnavailableException {

  private static final long serialVersionUID = 1L;

  LockkeeperException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

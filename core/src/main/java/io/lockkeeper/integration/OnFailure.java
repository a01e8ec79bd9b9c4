package io.lockkeeper.integration;

/** The choices for a call that did not get its lock in time. */
public enum OnFailure {
  /** It throws {@link io.lockkeeper.AcquireTimeoutException}. */
  THROW,
  /**
   * The method is not called. No exception tells the caller, so a method with a result should have
   * one that says it, as {@code Optional} and {@code boolean} do: {@link MethodLock#skipped}.
   */
  SKIP
}

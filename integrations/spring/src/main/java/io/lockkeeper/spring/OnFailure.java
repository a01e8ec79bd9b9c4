package io.lockkeeper.spring;

/** The choices for a call that did not get its lock in time. */
public enum OnFailure {
  /** {@link #SKIP} with {@link Locked#atLeast}, else {@link #THROW}. */
  DEFAULT,
  /** It throws {@link io.lockkeeper.AcquireTimeoutException}. */
  THROW,
  /**
   * The method is not called. No exception tells the caller, so a method with a result should have
   * one that says it, as {@code Optional} and {@code boolean} do. The result is {@code null}, zero,
   * false, an empty {@code Optional}, a stage that is complete with {@code null}, or an empty
   * publisher, by its type.
   */
  SKIP
}

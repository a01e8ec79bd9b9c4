package io.lockkeeper.spring;

/** When the lock of a {@link Locked} method is released. */
public enum ReleasePoint {
  /** When the method, or its asynchronous result, is complete. */
  COMPLETION,
  /**
   * When the transaction is complete in which the method was called; without one as {@link
   * #COMPLETION}. If the lease is lost before the commit, the transaction is rolled back.
   *
   * <p>This is the second best: with a snapshot that was taken before the lock (REPEATABLE READ and
   * above) the transaction does not see what the last holder has committed. The best is to take the
   * lock before the transaction begins.
   */
  AFTER_TRANSACTION
}

package io.lockkeeper.spring;

/**
 * The choices for a lease that is lost while a method runs. With each of them the call ends with a
 * {@link io.lockkeeper.LeaseLostException}, or with what the method has thrown and that suppressed
 * in it.
 */
public enum OnLoss {
  /** As {@link LockSettings#onLoss()} says. */
  DEFAULT,
  /** Nothing more. */
  NONE,
  /** A {@link LeaseLostEvent} is published. */
  EVENT,
  /**
   * A {@link LeaseLostEvent} is published, and the work ends: its thread is interrupted, or the
   * stage or publisher ends with the exception and what it waits for is cancelled.
   */
  INTERRUPT
}

package io.lockkeeper;

/** Thrown to a waiter when its latch was deleted before it opened, or its time to live was over. */
public final class LatchDeletedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public LatchDeletedException(String message) {
    super(message, null);
  }
}

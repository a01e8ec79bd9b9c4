package io.lockkeeper;

/** The latch that was waited for was deleted before it was open, or its time to live was over. */
public final class LatchDeletedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public LatchDeletedException(String message) {
    super(message, null);
  }
}

package io.lockkeeper.engine.runtime;

/** Waits through interrupts: the thread is interrupted again when the wait is over. */
public final class Uninterruptibly {

  /**
   * Waits for something that may fail.
   *
   * @param <T> what is waited for
   * @param <X> how it fails
   */
  @FunctionalInterface
  public interface Wait<T, X extends Exception> {

    /** Waits for so long at the most; not at all if that is not positive. */
    T forNanos(long nanos) throws InterruptedException, X;
  }

  private Uninterruptibly() {}

  /** Waits until this time of the client's clock at the most. */
  public static <T, X extends Exception> T await(ClientRuntime runtime, long end, Wait<T, X> wait)
      throws X {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.forNanos(end - runtime.now());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

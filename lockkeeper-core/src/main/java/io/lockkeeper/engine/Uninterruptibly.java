package io.lockkeeper.engine;

/** A wait that interrupts do not end: the thread is interrupted again when it is over. */
final class Uninterruptibly {

  /** Something that is waited for, and may fail. */
  @FunctionalInterface
  interface Wait<T, X extends Exception> {

    /** Waits for so long at the most; not at all if that is not positive. */
    T forNanos(long nanos) throws InterruptedException, X;
  }

  private Uninterruptibly() {}

  /** Waits until this time of the engine's clock at the most. */
  static <T, X extends Exception> T await(Engine engine, long end, Wait<T, X> wait) throws X {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.forNanos(end - engine.now());
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

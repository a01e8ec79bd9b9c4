package io.lockkeeper.engine;

/** Two threads that do the same, for a model checker to choose their schedules. */
public final class TwoThreads {

  private TwoThreads() {}

  /** Has both do it, and waits for them. */
  public static void run(Runnable action) {
    Thread one = new Thread(action);
    Thread two = new Thread(action);
    one.start();
    two.start();
    try {
      one.join();
      two.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

package io.lockkeeper.bench.locks;

import java.util.concurrent.CancellationException;

/** Waits that nobody interrupts. */
final class Waits {

  private Waits() {}

  /** Something that waits. */
  interface Wait {
    void await() throws InterruptedException;
  }

  static void uninterrupted(Wait wait) {
    try {
      wait.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting");
    }
  }
}

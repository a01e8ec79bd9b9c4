package io.lockkeeper.lab.oversell;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The bounded retry of an optimistic strategy: again after a short random pause if somebody else
 * was faster, and after so many attempts not any more.
 */
final class Attempts {

  /** How often an order is tried. */
  static final int MOST = 10;

  private static final int LONGEST_PAUSE_MILLIS = 10;

  /** One try. */
  interface Attempt {
    /** Returns whether a piece was left, or nothing if somebody else was faster. */
    Optional<Boolean> run() throws InterruptedException;
  }

  private final Random random;

  Attempts(long seed) {
    this.random = new Random(seed); // waits alike in each run with this seed
  }

  /** Tries until one attempt succeeds; returns whether a piece was left. */
  boolean run(Attempt attempt) throws InterruptedException, OrderLostException {
    for (int i = 1; i <= MOST; i++) {
      Optional<Boolean> sold = attempt.run();
      if (sold.isPresent()) {
        return sold.get();
      }
      double millis = random.nextDouble() * LONGEST_PAUSE_MILLIS;
      TimeUnit.NANOSECONDS.sleep((long) (millis * 1e6));
    }
    throw new OrderLostException("others were faster in " + MOST + " attempts");
  }
}

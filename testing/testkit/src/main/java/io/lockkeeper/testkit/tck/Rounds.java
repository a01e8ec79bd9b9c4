package io.lockkeeper.testkit.tck;

/**
 * How often tests repeat what may go wrong only now and then, all multiplied by one factor: the
 * system property {@code lockkeeper.test.rounds}, 1 by default. A build that runs often may take
 * less.
 */
public final class Rounds {

  private static final double FACTOR =
      Double.parseDouble(System.getProperty("lockkeeper.test.rounds", "1"));

  private Rounds() {}

  /** Returns {@code rounds} times the factor, at least 1. */
  public static int of(int rounds) {
    return (int) Math.max(1, Math.round(rounds * FACTOR));
  }
}

package io.lockkeeper.examples;

/**
 * A stock that compares fencing tokens: once it has seen a token it refuses every smaller one. So a
 * process that lost its lock without noticing, frozen for a minute perhaps, cannot do harm. A real
 * one would be a row in a database, with {@code ... where token <= ?} in its update.
 */
public final class GuardedStock {

  private int left;
  private long lastToken = Long.MIN_VALUE;

  /** Creates a stock of so many pieces. */
  public GuardedStock(int left) {
    this.left = left;
  }

  /**
   * Takes one piece.
   *
   * @throws IllegalStateException if the token is older than one seen before, or nothing is left
   */
  public synchronized void sellOne(long token) {
    if (token < lastToken) {
      throw new IllegalStateException("token " + token + " is older than " + lastToken);
    }
    if (left == 0) {
      throw new IllegalStateException("sold out");
    }
    lastToken = token;
    left--;
  }

  /** Returns how many pieces are left. */
  public synchronized int left() {
    return left;
  }
}

package io.lockkeeper.lab.oversell;

/**
 * What the store says about an article after a round.
 *
 * @param stockLeft pieces still on the shelf
 * @param sold orders recorded
 * @param tokenRegressions recorded orders whose fencing token is not larger than that of the order
 *     recorded before; 0 where there are no tokens
 */
public record Books(long stockLeft, long sold, long tokenRegressions) {

  /** Returns how many pieces were sold that the stock does not know of: its lost updates. */
  public long oversold(long stockBefore) {
    return sold - (stockBefore - stockLeft);
  }
}

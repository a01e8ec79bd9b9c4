package io.lockkeeper.lab.oversell;

import java.util.List;

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

  /**
   * Returns the books with orders of these tokens, in the order in which they were recorded; one
   * below 0 is none.
   */
  static Books of(long stockLeft, List<Long> tokens) {
    long last = -1;
    long regressions = 0;
    for (long token : tokens) {
      regressions += token >= 0 && token <= last ? 1 : 0;
      last = Math.max(last, token);
    }
    return new Books(stockLeft, tokens.size(), regressions);
  }
}

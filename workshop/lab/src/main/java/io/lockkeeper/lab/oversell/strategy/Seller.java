package io.lockkeeper.lab.oversell.strategy;

import java.util.List;

/** Sells one article in a strategy's way. Used by many threads at once. */
public interface Seller {

  /**
   * Sells a piece and records the order, if one is left.
   *
   * @throws OrderLostException if the strategy gives the order up
   */
  Sale order() throws InterruptedException, OrderLostException;

  /**
   * Returns the admissions that this process has seen, once there are {@code expected} of them.
   * Empty if the strategy does not keep the order of arrival.
   */
  default List<Grant> grants(int expected) throws InterruptedException {
    return List.of();
  }
}

package io.lockkeeper.lab.oversell;

/** Sells one article in a strategy's way. Used by many threads at once. */
public interface Seller {

  /**
   * Sells a piece and records the order, if one is left.
   *
   * @throws OrderLostException if the strategy gives the order up
   */
  Sale order() throws InterruptedException, OrderLostException;
}

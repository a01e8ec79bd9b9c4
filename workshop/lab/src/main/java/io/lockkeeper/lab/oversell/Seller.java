package io.lockkeeper.lab.oversell;

/** Sells one article in a strategy's way. Used by many threads at once. */
public interface Seller {

  /**
   * Sells a piece and records the order, if one is left; returns whether one was.
   *
   * @throws OrderLostException if the strategy gives the order up
   */
  boolean order() throws InterruptedException, OrderLostException;
}

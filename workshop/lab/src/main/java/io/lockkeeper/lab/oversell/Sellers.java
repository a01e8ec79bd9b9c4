package io.lockkeeper.lab.oversell;

import java.util.function.Function;

/**
 * A strategy at work in one process: its connections, shared by all threads.
 *
 * @param sellers returns the seller of an article
 * @param end closes the connections
 */
public record Sellers(Function<Article, Seller> sellers, Runnable end) {

  /** Sells one article in a strategy's way. Used by many threads at once. */
  public interface Seller {

    /**
     * Sells a piece and records the order, if one is left; returns whether one was.
     *
     * @throws OrderLostException if the strategy gives the order up
     */
    boolean order() throws InterruptedException, OrderLostException;
  }
}

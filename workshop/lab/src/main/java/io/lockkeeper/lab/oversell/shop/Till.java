package io.lockkeeper.lab.oversell.shop;

/**
 * A seller's view of the store, shared by all threads of a process. Each call is one round trip, or
 * one transaction of several.
 */
public interface Till extends AutoCloseable {

  /** Reads how many pieces are left. */
  long stockLeft(Article article);

  /**
   * Records an order and writes how many pieces are left after it: a value computed by the caller
   * from what it read before, so that nothing but a lock keeps two callers from selling the same
   * piece.
   *
   * @param token the fencing token that the order was made under, or -1
   */
  void sell(Article article, long leftAfterwards, long token);

  @Override
  void close();
}

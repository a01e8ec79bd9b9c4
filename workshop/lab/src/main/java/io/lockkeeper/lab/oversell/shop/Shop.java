package io.lockkeeper.lab.oversell.shop;

import java.util.List;
import java.util.Map;

/**
 * The owner's view of the store where articles and their orders are kept: fills the shelf before a
 * round, reads the books after it. What is sold and what is left is always asked from the store,
 * never added up from what the sellers say.
 */
public interface Shop extends AutoCloseable {

  /** Returns the store's kind and version, such as {@code Redis 7.0.15}. */
  String server();

  /** Puts {@code stock} pieces of the article on the shelf, with no orders yet. */
  void fill(Article article, long stock);

  /** Reads stock and orders of the article. */
  Books read(Article article);

  /** Removes the article and all that was recorded about it. */
  void clear(Article article);

  /**
   * Returns how often each command has run at the store since its start, by name in lower case,
   * those inside scripts included and those of this shop's own bookkeeping left out. Empty if the
   * store does not count.
   */
  default Map<String, Long> commandCalls() {
    return Map.of();
  }

  /**
   * Returns how often each command ran for orders themselves.
   *
   * @param reads how often the stock was read
   * @param sales how often an order was recorded
   */
  default Map<String, Long> orderCalls(long reads, long sales) {
    return Map.of();
  }

  /** Returns what the store reports of the last deadlock that it found, or nothing. */
  default List<String> lastDeadlock() {
    return List.of();
  }

  @Override
  void close();
}

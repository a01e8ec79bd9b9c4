package io.lockkeeper.lab.oversell;

/**
 * The store where an article and its orders are kept. What is sold and what is left is always asked
 * from the store, never added up from what the sellers say. Each call of a seller is one round
 * trip, or one transaction of several.
 */
public sealed interface Shop extends AutoCloseable permits RedisShop, SqlShop {

  /** Connects to the database or the Redis server of a URL. */
  static Shop open(String url) {
    return url.startsWith("jdbc:") ? SqlShop.open(url, false) : new RedisShop(url);
  }

  /** Puts {@code stock} pieces of the article on the shelf, with no orders yet. */
  void fill(Article article, long stock);

  Books read(Article article);

  /** Removes the article and all that was recorded about it. */
  void clear(Article article);

  /** Reads how many pieces are left, as a seller does. */
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

package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Article;

/** A strategy at work in one process: its connections, shared by all threads. */
public interface Sellers extends AutoCloseable {

  /** Returns the seller of this article. */
  Seller seller(Article article);

  @Override
  void close();
}

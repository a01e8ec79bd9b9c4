package io.lockkeeper.lab.oversell;

import java.util.function.Function;

/** A strategy at work in one process: its connections, shared by all threads. */
public interface Sellers extends AutoCloseable {

  /** Returns the seller of this article. */
  Seller seller(Article article);

  @Override
  void close();

  /** Returns sellers that are made by a function, and close by {@code end}. */
  static Sellers of(Function<Article, Seller> sellers, Runnable end) {
    return new Sellers() {

      @Override
      public Seller seller(Article article) {
        return sellers.apply(article);
      }

      @Override
      public void close() {
        end.run();
      }
    };
  }
}

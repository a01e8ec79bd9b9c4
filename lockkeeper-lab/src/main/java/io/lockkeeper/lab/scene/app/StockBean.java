package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import io.lockkeeper.lab.oversell.strategy.Seller;
import io.lockkeeper.lab.oversell.strategy.Sellers;

/** A strategy that is a bean, because it shows what a proxy around a bean does. */
interface StockBean {

  /** Sells one piece. */
  Sale sell(Article article);

  /** Returns a bean as a strategy at work. Static, so that each call goes through the proxy. */
  static Sellers sellers(StockBean proxy) {
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        return () -> proxy.sell(article);
      }

      @Override
      public void close() {}
    };
  }
}

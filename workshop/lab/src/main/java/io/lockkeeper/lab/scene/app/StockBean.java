package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Grant;
import io.lockkeeper.lab.oversell.strategy.GrantLog;
import io.lockkeeper.lab.oversell.strategy.Sale;
import io.lockkeeper.lab.oversell.strategy.Seller;
import io.lockkeeper.lab.oversell.strategy.Sellers;
import java.util.List;

/** A strategy that is a bean, because it shows what a proxy around a bean does. */
interface StockBean {

  /** Sells one piece. */
  Sale sell(Article article);

  /** Returns the name of the lock that admits in order of arrival, or nothing if none does. */
  default String fairLock(Article article) {
    return "";
  }

  /**
   * Returns a bean as a strategy at work. Static, so that each call goes through the proxy.
   *
   * @param log receives the grants of its locks
   */
  static Sellers sellers(StockBean proxy, GrantLog log) {
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        return new Seller() {
          @Override
          public Sale order() {
            return proxy.sell(article);
          }

          @Override
          public List<Grant> grants(int expected) throws InterruptedException {
            String lock = proxy.fairLock(article);
            return lock.isEmpty() ? List.of() : log.await(lock, expected);
          }
        };
      }

      @Override
      public void close() {
        log.clear();
      }
    };
  }
}

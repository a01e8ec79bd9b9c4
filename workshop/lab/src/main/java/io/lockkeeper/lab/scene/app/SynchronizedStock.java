package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Right, as long as there is one instance: one bean, and its monitor around each call. */
@Component("synchronized")
@Lazy
class SynchronizedStock implements StockBean {

  private final Shelf shelf;

  SynchronizedStock(Shelf shelf) {
    this.shelf = shelf;
  }

  @Override
  public synchronized Sale sell(Article article) {
    return shelf.sellOne(article);
  }
}

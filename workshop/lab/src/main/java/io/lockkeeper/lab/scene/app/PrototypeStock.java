package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.stereotype.Component;

/** Broken: each call gets a bean of its own, and so a lock of its own. */
@Component("prototype")
@Scope(value = ConfigurableBeanFactory.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.INTERFACES)
class PrototypeStock implements StockBean {

  private final ReentrantLock lock = new ReentrantLock();
  private final Shelf shelf;

  PrototypeStock(Shelf shelf) {
    this.shelf = shelf;
  }

  @Override
  public Sale sell(Article article) {
    lock.lock();
    try {
      return shelf.sellOne(article);
    } finally {
      lock.unlock();
    }
  }
}

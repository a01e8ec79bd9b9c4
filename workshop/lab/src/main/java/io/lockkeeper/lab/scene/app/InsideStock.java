package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Broken: the lock is released before the proxy around this method commits. */
@Component("insideTransaction")
@Lazy
class InsideStock implements StockBean {

  private final ReentrantLock lock = new ReentrantLock();
  private final Shelf shelf;

  InsideStock(Shelf shelf) {
    this.shelf = shelf;
  }

  @Override
  @Transactional(isolation = Isolation.READ_COMMITTED)
  public Sale sell(Article article) {
    lock.lock();
    try {
      return shelf.sellOne(article);
    } finally {
      lock.unlock();
    }
  }
}

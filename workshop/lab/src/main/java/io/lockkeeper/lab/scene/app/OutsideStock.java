package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Right: the transaction begins and commits while the lock is held. */
@Component("outsideTransaction")
@Lazy
class OutsideStock implements StockBean {

  private final ReentrantLock lock = new ReentrantLock();
  private final TransactionTemplate transaction;
  private final Shelf shelf;

  OutsideStock(PlatformTransactionManager transactions, Shelf shelf) {
    this.transaction = new TransactionTemplate(transactions);
    transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    this.shelf = shelf;
  }

  @Override
  public Sale sell(Article article) {
    lock.lock();
    try {
      return Objects.requireNonNull(transaction.execute(status -> shelf.sellOne(article)));
    } finally {
      lock.unlock();
    }
  }
}

package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Article;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans with a lock of the JVM, in the ways that people put one around a stock. */
final class JvmStocks {

  private JvmStocks() {}

  private static boolean withLock(Lock lock, BooleanSupplier sale) {
    lock.lock();
    try {
      return sale.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /** Right, as long as there is one instance: one bean, and its monitor around each call. */
  @Component("synchronized")
  @Lazy
  static class Synchronized implements StockBean {

    private final Shelf shelf;

    Synchronized(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    public synchronized boolean sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** Broken: each call gets a bean of its own, and so a lock of its own. */
  @Component("prototype")
  @Scope(value = ConfigurableBeanFactory.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.INTERFACES)
  static class Prototype implements StockBean {

    private final ReentrantLock lock = new ReentrantLock();
    private final Shelf shelf;

    Prototype(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    public boolean sell(Article article) {
      return withLock(lock, () -> shelf.sellOne(article));
    }
  }

  /** Broken: the lock is released before the proxy around this method commits. */
  @Component("insideTransaction")
  @Lazy
  static class Inside implements StockBean {

    private final ReentrantLock lock = new ReentrantLock();
    private final Shelf shelf;

    Inside(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public boolean sell(Article article) {
      return withLock(lock, () -> shelf.sellOne(article));
    }
  }

  /** Right: the transaction begins and commits while the lock is held. */
  @Component("outsideTransaction")
  @Lazy
  static class Outside implements StockBean {

    private final ReentrantLock lock = new ReentrantLock();
    private final TransactionTemplate transaction;
    private final Shelf shelf;

    Outside(PlatformTransactionManager transactions, Shelf shelf) {
      this.transaction = new TransactionTemplate(transactions);
      transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
      this.shelf = shelf;
    }

    @Override
    public boolean sell(Article article) {
      return withLock(
          lock,
          () -> Objects.requireNonNull(transaction.execute(status -> shelf.sellOne(article))));
    }
  }

  /** A strategy that is a bean, because it shows what a proxy around a bean does. */
  interface StockBean {

    boolean sell(Article article);
  }
}

package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import io.lockkeeper.spring.Locked;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Lockkeeper's lock by its annotation, on a method that is a transaction too. */
final class LockedStock {

  private LockedStock() {}

  /** In Redis. */
  @Component("lockedRedis")
  @Lazy
  static class InRedis implements StockBean {

    private final Shelf shelf;

    InRedis(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = "stock", key = "#p0.name()", keeper = "redisKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** In ZooKeeper. */
  @Component("lockedZooKeeper")
  @Lazy
  static class InZooKeeper implements StockBean {

    private final Shelf shelf;

    InZooKeeper(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = "stock", key = "#p0.name()", keeper = "zooKeeperKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** In etcd. */
  @Component("lockedEtcd")
  @Lazy
  static class InEtcd implements StockBean {

    private final Shelf shelf;

    InEtcd(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = "stock", key = "#p0.name()", keeper = "etcdKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** In the database of the stock. */
  @Component("lockedSql")
  @Lazy
  static class InSql implements StockBean {

    private final Shelf shelf;

    InSql(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = "stock", key = "#p0.name()", keeper = "sqlKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }
  }
}

package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.Sale;
import io.lockkeeper.spring.LockMode;
import io.lockkeeper.spring.Locked;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Lockkeeper's lock by its annotation, on a method that is a transaction too. */
final class LockedStock {

  private static final String LOCK = "stock";
  private static final String KEY = "#p0.name()";

  private LockedStock() {}

  private static String lockName(Article article) {
    return LOCK + ":" + article.name();
  }

  /** In Redis. */
  @Component("lockedRedis")
  @Lazy
  static class InRedis implements StockBean {

    private final Shelf shelf;

    InRedis(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, keeper = "redisKeeper")
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
    @Locked(name = LOCK, key = KEY, keeper = "zooKeeperKeeper")
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
    @Locked(name = LOCK, key = KEY, keeper = "etcdKeeper")
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
    @Locked(name = LOCK, key = KEY, keeper = "sqlKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** In Redis, first come, first served. */
  @Component("lockedFairRedis")
  @Lazy
  static class FairInRedis implements StockBean {

    private final Shelf shelf;

    FairInRedis(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, mode = LockMode.FAIR, keeper = "redisKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }

    @Override
    public String fairLock(Article article) {
      return lockName(article);
    }
  }

  /** In ZooKeeper, first come, first served. */
  @Component("lockedFairZooKeeper")
  @Lazy
  static class FairInZooKeeper implements StockBean {

    private final Shelf shelf;

    FairInZooKeeper(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, mode = LockMode.FAIR, keeper = "zooKeeperKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }

    @Override
    public String fairLock(Article article) {
      return lockName(article);
    }
  }

  /** In etcd, first come, first served. */
  @Component("lockedFairEtcd")
  @Lazy
  static class FairInEtcd implements StockBean {

    private final Shelf shelf;

    FairInEtcd(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, mode = LockMode.FAIR, keeper = "etcdKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }

    @Override
    public String fairLock(Article article) {
      return lockName(article);
    }
  }

  /** In the database of the stock, first come, first served. */
  @Component("lockedFairSql")
  @Lazy
  static class FairInSql implements StockBean {

    private final Shelf shelf;

    FairInSql(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, mode = LockMode.FAIR, keeper = "sqlKeeper")
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public Sale sell(Article article) {
      return shelf.sellOne(article);
    }

    @Override
    public String fairLock(Article article) {
      return lockName(article);
    }
  }
}

package io.lockkeeper.lab.scene.app;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.oversell.Article;
import io.lockkeeper.lab.scene.app.JvmStocks.StockBean;
import io.lockkeeper.spring.EnableLocks;
import io.lockkeeper.spring.LockMode;
import io.lockkeeper.spring.Locked;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Lockkeeper's lock by its annotation, on a method that is a transaction too. The beans are those
 * of a context for one store, whose client is the only one there.
 */
@Configuration(proxyBeanMethods = false)
@EnableLocks
@EnableTransactionManagement
@Import({LockedStock.Unfair.class, LockedStock.Fair.class})
class LockedStock {

  private static final String LOCK = "stock";
  private static final String KEY = "#p0.name()";

  /** Returns a context with the beans of a store, inside the one that has the stock. */
  static AnnotationConfigApplicationContext in(String storeUrl, ApplicationContext parent) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.setParent(parent);
    context.registerBean(LockedStock.class, () -> new LockedStock(storeUrl));
    context.refresh();
    return context;
  }

  private final String storeUrl;

  LockedStock(String storeUrl) {
    this.storeUrl = storeUrl;
  }

  @Bean
  @Lazy
  Lockkeeper keeper() {
    return Lockkeeper.builder().namespace("lab").connect(storeUrl);
  }

  /** In any order. */
  @Component("locked")
  static class Unfair implements StockBean {

    private final Shelf shelf;

    Unfair(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY)
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public boolean sell(Article article) {
      return shelf.sellOne(article);
    }
  }

  /** First come, first served. */
  @Component("lockedFair")
  static class Fair implements StockBean {

    private final Shelf shelf;

    Fair(Shelf shelf) {
      this.shelf = shelf;
    }

    @Override
    @Locked(name = LOCK, key = KEY, mode = LockMode.FAIR)
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public boolean sell(Article article) {
      return shelf.sellOne(article);
    }
  }
}

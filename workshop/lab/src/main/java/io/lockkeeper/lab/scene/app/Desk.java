package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Article;
import io.lockkeeper.lab.oversell.GuardContext;
import io.lockkeeper.lab.oversell.OrderLostException;
import io.lockkeeper.lab.oversell.Sellers;
import io.lockkeeper.lab.oversell.Sellers.Seller;
import io.lockkeeper.lab.oversell.Strategies;
import io.lockkeeper.lab.oversell.Strategy;
import io.lockkeeper.lab.scene.app.JvmStocks.StockBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Component;

/** Where the orders of one scene end up: its strategy, or the bean of this name. */
@Component
final class Desk implements AutoCloseable {

  private record Open(Sellers sellers, Map<String, Seller> byCode) {}

  private final InstanceStart start;
  private final Turns turns;
  private final ApplicationContext beans;

  /** The contexts with the beans of each store, by its name. */
  private final Map<String, ConfigurableApplicationContext> locked = new HashMap<>();

  private volatile @Nullable Open open;

  Desk(InstanceStart start, Turns turns, ApplicationContext beans) {
    this.start = start;
    this.turns = turns;
    this.beans = beans;
  }

  synchronized void open(Opening opening) {
    closeOpen();
    open = new Open(sellers(opening), new ConcurrentHashMap<>());
    seller(current(), opening.article());
  }

  private Sellers sellers(Opening opening) {
    Optional<Strategy> strategy = Strategies.find(opening.strategy());
    if (strategy.isEmpty()) {
      ApplicationContext context =
          locked.computeIfAbsent(opening.store(), store -> LockedStock.in(start.url(store), beans));
      StockBean proxy = context.getBean(opening.strategy(), StockBean.class);
      return new Sellers(article -> () -> proxy.sell(article), () -> {});
    }
    return strategy
        .get()
        .open(
            new GuardContext(
                start.url(opening.store()),
                start.url(opening.stock()),
                start.number(),
                start.seed(),
                Duration.ofMillis(opening.leaseMillis()),
                turns));
  }

  private Open current() {
    Open current = open;
    if (current == null) {
      throw new IllegalStateException("no scene is open");
    }
    return current;
  }

  private static Seller seller(Open current, String code) {
    return current.byCode.computeIfAbsent(
        code, it -> current.sellers.sellers().apply(new Article(it)));
  }

  /** Deals with an order; returns whether a piece was left. */
  boolean deduct(String code) throws InterruptedException, OrderLostException {
    return seller(current(), code).order();
  }

  private void closeOpen() {
    Open last = open;
    open = null;
    if (last != null) {
      last.sellers.end().run();
    }
  }

  @Override
  public synchronized void close() {
    closeOpen();
    locked.values().forEach(ConfigurableApplicationContext::close);
    locked.clear();
  }
}

package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.Guard.Guards;

/** One way to keep orders from getting in each other's way. */
public interface Strategy {

  Sellers open(GuardContext context);

  /** Opens guards. */
  interface Opener {
    Guards open(GuardContext context);
  }

  /**
   * Returns a strategy that reads the stock, checks it and writes it less one, as separate calls,
   * with a guard before all of it.
   *
   * @param fenced whether the stock checks tokens
   */
  static Strategy guarded(Opener opener, boolean fenced) {
    return context -> {
      String url = context.stockUrl();
      Shop shop = fenced ? SqlShop.open(url, true) : Shop.open(url);
      try {
        Guards guards = opener.open(context);
        return new Sellers(
            article -> {
              Guard guard = guards.guard().apply(article.lockName());
              return () -> order(guard, shop, article, context.points());
            },
            () -> {
              guards.end().run();
              shop.close();
            });
      } catch (RuntimeException e) {
        shop.close();
        throw e;
      }
    };
  }

  private static boolean order(Guard guard, Shop shop, Article article, Points points)
      throws InterruptedException {
    long token = guard.enter();
    try {
      points.at(Points.ENTERED);
      if (points.asks(Points.NESTED)) {
        guard.enter();
        guard.exit();
      }
      long left = shop.stockLeft(article);
      points.at(Points.READ);
      if (left > 0) {
        shop.sell(article, left - 1, token);
      }
      points.at(Points.LEAVING);
      return left > 0;
    } finally {
      guard.exit();
    }
  }
}

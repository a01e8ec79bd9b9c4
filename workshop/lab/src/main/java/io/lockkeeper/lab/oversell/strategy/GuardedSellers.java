package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.Till;
import java.util.List;

/**
 * Sellers who read the stock, check it and write it less one, as separate calls, with a guard
 * before all of it.
 *
 * @param guards the guards
 * @param till where the stock is
 * @param points what hears where orders are
 */
record GuardedSellers(Guards guards, Till till, Points points) implements Sellers {

  @Override
  public Seller seller(Article article) {
    return new Guarded(guards.guard(article.lockName()), till, article, points);
  }

  @Override
  public void close() {
    guards.close();
    till.close();
  }

  private record Guarded(Guard guard, Till till, Article article, Points points) implements Seller {

    @Override
    public Sale order() throws InterruptedException {
      long token = guard.enter();
      long turnNanos = System.nanoTime();
      try {
        points.at(Points.ENTERED);
        if (points.asks(Points.NESTED)) {
          guard.enter();
          guard.exit();
        }
        long left = till.stockLeft(article);
        points.at(Points.READ);
        if (left > 0) {
          till.sell(article, left - 1, token);
        }
        points.at(Points.LEAVING);
        return new Sale(left > 0, turnNanos);
      } finally {
        guard.exit();
      }
    }

    @Override
    public List<Grant> grants(int expected) throws InterruptedException {
      return guard.grants(expected);
    }
  }
}

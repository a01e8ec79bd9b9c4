package io.lockkeeper.lab.oversell;

/**
 * Sellers who read the stock, check it and write it less one, as separate calls, with a guard
 * before all of it.
 *
 * @param guards the guards
 * @param shop where the stock is
 * @param points what hears where orders are
 */
record GuardedSellers(Guards guards, Shop shop, Points points) implements Sellers {

  @Override
  public Seller seller(Article article) {
    return new Guarded(guards.guard().apply(article.lockName()), shop, article, points);
  }

  @Override
  public void close() {
    guards.end().run();
    shop.close();
  }

  private record Guarded(Guard guard, Shop shop, Article article, Points points) implements Seller {

    @Override
    public Sale order() throws InterruptedException {
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
        return new Sale(left > 0);
      } finally {
        guard.exit();
      }
    }
  }
}

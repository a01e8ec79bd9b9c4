package io.lockkeeper.lab.oversell;

/** One way to keep orders from getting in each other's way. */
public interface Strategy {

  /** Opens it in a process. */
  Sellers open(GuardContext context);

  /**
   * A strategy that puts a guard before an order of separate reads and writes.
   *
   * @param guards opens its guards in a process
   * @param fenced whether the stock checks tokens
   */
  record Guarded(Opener guards, boolean fenced) implements Strategy {

    /** Opens guards. */
    interface Opener {
      Guards open(GuardContext context);
    }

    @Override
    public Sellers open(GuardContext context) {
      String url = context.stockUrl();
      Shop shop = fenced ? SqlShop.open(url, true) : Shop.open(url);
      try {
        return new GuardedSellers(guards.open(context), shop, context.points());
      } catch (RuntimeException e) {
        shop.close();
        throw e;
      }
    }
  }
}

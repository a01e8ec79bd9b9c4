package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.Till;

/** A strategy that puts a guard before an order of separate reads and writes. */
interface GuardStrategy extends Strategy {

  /** Opens its guards in a worker process. */
  Guards guards(GuardContext context);

  /** Opens the seller's side of the stock. */
  default Till till(String stockUrl) {
    return Shops.openTill(stockUrl);
  }

  @Override
  default Sellers open(GuardContext context) {
    Till till = till(context.stockUrl());
    try {
      return new GuardedSellers(guards(context), till, context.points());
    } catch (RuntimeException e) {
      till.close();
      throw e;
    }
  }
}

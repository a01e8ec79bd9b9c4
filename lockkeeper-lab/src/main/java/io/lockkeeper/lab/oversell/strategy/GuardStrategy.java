package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.Till;

/** A strategy that puts a guard before an order of separate reads and writes. */
interface GuardStrategy extends Strategy {

  /** Opens its guards in a worker process. */
  Guards guards(GuardContext context);

  @Override
  default Sellers open(GuardContext context) {
    Till till = Shops.openTill(context.storeUrl());
    try {
      return new GuardedSellers(guards(context), till);
    } catch (RuntimeException e) {
      till.close();
      throw e;
    }
  }
}

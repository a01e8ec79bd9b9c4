package com.example.shop;

import io.lockkeeper.Lease;
import io.lockkeeper.spring.LockTemplate;
import io.lockkeeper.spring.Locked;
import org.springframework.stereotype.Service;

/** Sells and restocks, one instance at a time for each item. */
@Service
public class Stock {

  private final Shelves shelves;
  private final LockTemplate template;

  Stock(Shelves shelves, LockTemplate template) {
    this.shelves = shelves;
    this.template = template;
  }

  /** Sells one, and returns how many are left, or -1 if there was none. Callers pass null. */
  @Locked(name = "stock", key = "#sku")
  public int sellOne(String sku, Lease lease) {
    int left = shelves.count(sku) - 1;
    if (left >= 0) {
      shelves.set(sku, left, lease.token());
    }
    return left;
  }

  /** Adds some, and returns how many there are then. */
  public int restock(String sku, int count) {
    return template.execute(
        "stock:" + sku,
        lease -> {
          int now = shelves.count(sku) + count;
          shelves.set(sku, now, lease.token());
          return now;
        });
  }
}

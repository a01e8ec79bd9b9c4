package io.lockkeeper.examples;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;

/** A first look: sells three pieces under one lock, in the three ways to take it. */
public final class FirstLock {

  private static final String DEFAULT_URL = "memory:first-lock";

  private FirstLock() {}

  /**
   * Runs it.
   *
   * @param args the store's URL, such as {@code redis://localhost}; by default the memory of this
   *     process
   */
  public static void main(String[] args) throws InterruptedException {
    GuardedStock stock = new GuardedStock(10);
    run(args.length == 0 ? DEFAULT_URL : args[0], stock);
    System.out.println(stock.left() + " pieces left");
  }

  static void run(String url, GuardedStock stock) throws InterruptedException {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      DistributedLock lock = keeper.lock("stock:1001"); // a lock over all processes
      // The stock refuses a token that is older than one it has seen.
      lock.run(() -> stock.sellOne(lock.token()));
    }

    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      DistributedLock lock = keeper.lock("stock:1001");

      try (Lease lease = lock.acquire()) { // a handle that is bound to no thread
        lease.onLost(loss -> System.err.println("stop selling: " + loss));
        stock.sellOne(lease.token());
      }

      lock.lock();
      try {
        stock.sellOne(lock.token());
      } finally {
        lock.unlock();
      }
    }
  }
}

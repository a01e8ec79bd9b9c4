package io.lockkeeper.examples;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumToken;
import java.util.ArrayList;
import java.util.List;

/**
 * Sells a stock under a lock that is held at a majority of independent servers, so that it works
 * while less than half of them are away.
 */
public final class MajorityLock {

  private static final List<String> DEFAULT_URLS =
      List.of("memory:node-1", "memory:node-2", "memory:node-3");

  private MajorityLock() {}

  /** A stock that refuses tokens that are older than what it has seen. */
  static final class Stock {

    private int left;
    private QuorumToken seen = QuorumToken.none();

    Stock(int left) {
      this.left = left;
    }

    synchronized void sellOne(QuorumToken token) {
      if (token.isOlderThan(seen)) {
        throw new IllegalStateException("token " + token + " is older than " + seen);
      }
      seen = seen.merge(token);
      left--;
    }

    synchronized int left() {
      return left;
    }
  }

  /**
   * Runs it.
   *
   * @param args the servers' URLs, at least three; by default three memories of this process
   */
  public static void main(String[] args) throws InterruptedException {
    Stock stock = new Stock(10);
    run(args.length == 0 ? DEFAULT_URLS : List.of(args), stock);
    System.out.println(stock.left() + " pieces left");
  }

  static void run(List<String> urls, Stock stock) throws InterruptedException {
    List<Lockkeeper> keepers = new ArrayList<>();
    try {
      for (String url : urls) {
        keepers.add(Lockkeeper.connect(url));
      }
      QuorumLock lock = Lockkeeper.quorum(keepers).lock("stock:1001");

      try (QuorumLease lease = lock.acquire()) {
        lease.onLost(loss -> System.err.println("stop selling: " + loss));
        stock.sellOne(lease.token());
      }

      lock.lock(); // or as a java.util.concurrent.locks.Lock
      try {
        stock.sellOne(lock.token());
      } finally {
        lock.unlock();
      }
    } finally {
      keepers.forEach(Lockkeeper::close); // the quorum uses them, and leaves them to us
    }
  }
}

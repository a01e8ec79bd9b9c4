package io.lockkeeper.examples;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Moves money between two accounts, each guarded by a lock of its own, in both directions at once.
 * One lock after the other would deadlock sooner or later; both as one do not.
 */
public final class TwoAccounts {

  private static final String DEFAULT_URL = "memory:two-accounts";
  private static final int TRANSFERS = 1_000;

  private TwoAccounts() {}

  /** An account: guarded by a lock, so it needs none of its own. */
  static final class Account {

    final String name;
    private long balance;

    Account(String name, long balance) {
      this.name = name;
      this.balance = balance;
    }

    long balance() {
      return balance;
    }
  }

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) throws InterruptedException, ExecutionException {
    Account alice = new Account("account:alice", 1_000);
    Account bob = new Account("account:bob", 1_000);
    run(args.length == 0 ? DEFAULT_URL : args[0], alice, bob);
    System.out.println("alice has " + alice.balance() + ", bob has " + bob.balance());
  }

  static void run(String url, Account one, Account two)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      Future<?> there = threads.submit(() -> transferAll(keeper, one, two, 1));
      Future<?> back = threads.submit(() -> transferAll(keeper, two, one, 3));
      there.get();
      back.get();
    } finally {
      threads.shutdown();
    }
  }

  private static void transferAll(Lockkeeper keeper, Account from, Account to, long amount) {
    MultiLock both = Lockkeeper.multiLock(keeper.lock(from.name), keeper.lock(to.name));
    for (int i = 0; i < TRANSFERS; i++) {
      both.lock();
      try {
        from.balance -= amount;
        to.balance += amount;
      } finally {
        both.unlock();
      }
    }
  }
}

package io.lockkeeper.examples;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;

/** The program of the README. */
final class HelloLock {

  private HelloLock() {}

  public static void main(String[] args) {
    try (Lockkeeper keeper = Lockkeeper.connect("redis://localhost")) {
      DistributedLock lock = keeper.lock("stock:1001"); // a lock over all processes
      // What it guards can refuse tokens older than one it has seen.
      lock.run(() -> System.out.println("one at a time, token " + lock.token()));
    }
  }
}

package io.lockkeeper.examples.outside;

import io.lockkeeper.Lockkeeper;

/** Takes one lock at each store whose URL it is given, in one process. */
final class OneLockEach {

  private OneLockEach() {}

  public static void main(String[] urls) throws InterruptedException {
    for (String url : urls) {
      try (Lockkeeper keeper = Lockkeeper.connect(url)) {
        keeper.lock("one").run(() -> System.out.println("locked"));
      }
    }
  }
}

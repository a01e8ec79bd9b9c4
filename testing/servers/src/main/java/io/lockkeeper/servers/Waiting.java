package io.lockkeeper.servers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for servers to come to terms with each other. */
final class Waiting {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);

  private Waiting() {}

  /** Waits until {@code condition} holds; a server that does not answer yet is "not yet". */
  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - deadline > 0) {
        throw new ServerStartException(
            "waited " + LIMIT.toSeconds() + " s in vain until " + what, null);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (IllegalStateException | RedisErrorException notYet) {
      return false;
    }
  }
}

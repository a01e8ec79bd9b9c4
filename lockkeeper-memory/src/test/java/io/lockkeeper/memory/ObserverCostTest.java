package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a client pays for observers that it does not have (OB4), or that want to hear nothing. */
@SuppressWarnings("LockNotBeforeTry") // what is measured throws nothing
class ObserverCostTest {

  private static final int ROUNDS = 10_000;

  /** Less than any object: there is room for what is made once. */
  private static final long MOST_BYTES = 8;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void withoutObserversAReentryAllocatesNothing() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:observer-cost")) {
      DistributedLock lock = keeper.lock("a");
      lock.lock();
      try {
        lockAndUnlock(lock); // what is made only once
        long before = threads.getCurrentThreadAllocatedBytes();
        lockAndUnlock(lock);
        long after = threads.getCurrentThreadAllocatedBytes();

        assertThat(after - before).as("bytes").isLessThan(ROUNDS);
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  void anObserverThatWantsToHearNothingAllocatesNothing() {
    try (Lockkeeper with =
            Lockkeeper.builder().observer(request -> null).connect("memory:observer-null");
        Lockkeeper without = Lockkeeper.connect("memory:observer-none")) {
      long bytes = bytesOf(with.lock("a")) - bytesOf(without.lock("a"));

      assertThat(bytes).as("bytes of an acquisition").isLessThan(MOST_BYTES);
    }
  }

  /** Returns what an acquisition and its release allocate, in the best of several rounds. */
  private long bytesOf(DistributedLock lock) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      lockAndUnlock(lock);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least / ROUNDS;
  }

  private static void lockAndUnlock(DistributedLock lock) {
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      lock.unlock();
    }
  }
}

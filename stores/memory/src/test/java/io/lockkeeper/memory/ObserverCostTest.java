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

  /** Until the compiler has done its work, which takes a busy machine a while. */
  private static final int MOST_ROUNDS = 500;

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
      DistributedLock observed = with.lock("a");
      DistributedLock unobserved = without.lock("a");
      long more = Long.MAX_VALUE;
      long least = Long.MAX_VALUE;
      long leastObserved = Long.MAX_VALUE;
      for (int round = 0; round < MOST_ROUNDS && more >= MOST_BYTES; round++) {
        least = Math.min(least, bytesOf(unobserved));
        leastObserved = Math.min(leastObserved, bytesOf(observed));
        more = leastObserved - least;
      }

      assertThat(more).as("bytes of an acquisition").isLessThan(MOST_BYTES);
    }
  }

  /** Returns what an acquisition and its release allocate: little, once they are compiled. */
  private long bytesOf(DistributedLock lock) {
    long before = threads.getCurrentThreadAllocatedBytes();
    lockAndUnlock(lock);
    return (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
  }

  private static void lockAndUnlock(DistributedLock lock) {
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      lock.unlock();
    }
  }
}

package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a client without observers pays for them (OB4). */
@SuppressWarnings("LockNotBeforeTry") // what is measured throws nothing
class ObserverCostTest {

  private static final int ROUNDS = 10_000;

  @Test
  void withoutObserversAReentryAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Lockkeeper keeper = Lockkeeper.connect("memory:observer-cost")) {
      DistributedLock lock = keeper.lock("a");
      lock.lock();
      try {
        reenter(lock); // what is made only once
        long before = threads.getCurrentThreadAllocatedBytes();
        reenter(lock);
        long after = threads.getCurrentThreadAllocatedBytes();

        assertThat(after - before).as("bytes").isLessThan(ROUNDS);
      } finally {
        lock.unlock();
      }
    }
  }

  private static void reenter(DistributedLock lock) {
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      lock.unlock();
    }
  }
}

package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What metrics add to an acquisition that stays inside the client. */
@SuppressWarnings("LockNotBeforeTry") // what is measured throws nothing
class MetricsCostTest {

  private static final int ROUNDS = 20_000;

  /** About 210 once compiled; 760 when each attempt made futures and lists. */
  private static final long MOST_BYTES = 400;

  private static final LockOptions STAYS =
      LockOptions.defaults().withRetention(Duration.ofMinutes(5));

  @Test
  void anAcquisitionAllocatesLittleForThem() {
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    metrics.bindTo(new SimpleMeterRegistry());
    try (Lockkeeper plain = connect(Lockkeeper.builder());
        Lockkeeper metered = connect(Lockkeeper.builder().observer(metrics).listener(metrics))) {
      DistributedLock without = plain.lock("without", STAYS);
      DistributedLock with = metered.lock("with", STAYS);
      bytes(without); // what is made only once
      bytes(with);

      assertThat(bytes(with) - bytes(without)).as("bytes").isLessThan(MOST_BYTES);
    }
  }

  private static Lockkeeper connect(LockkeeperBuilder builder) {
    return builder.connect("memory:metrics-cost");
  }

  private static long bytes(DistributedLock lock) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      lock.lock();
      lock.unlock();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
  }
}

package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@link Locked} costs beside the lock itself. */
@Tag("full")
class OverheadTest {

  private static final int ROUNDS = 10;
  private static final int TIMES = 10_000;

  private static final long MOST_BYTES = 1_024;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static class Shop {

    @Locked("stock")
    public void sell() {}

    @Locked(name = "stock", key = "#sku")
    public void sell(String sku) {}

    @Locked(name = "stock", key = "#sku.toLowerCase()")
    public void sell(String sku, int count) {}
  }

  @Configuration
  @EnableLocks
  static class Shops {

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:overhead-test");
    }

    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  /** What a call costs, in the fastest of several rounds. */
  private record Cost(long nanos, long bytes) {}

  private Cost of(String what, Runnable action) {
    long thread = Thread.currentThread().getId();
    Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      long begin = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < TIMES; i++) {
        action.run();
      }
      long nanos = (threads.getCurrentThreadCpuTime() - begin) / TIMES;
      long bytes = (threads.getThreadAllocatedBytes(thread) - before) / TIMES;
      least = new Cost(Math.min(least.nanos, nanos), Math.min(least.bytes, bytes));
    }
    System.out.printf(
        "%s: %,d ns of processor time and %,d bytes%n", what, least.nanos, least.bytes);
    return least;
  }

  /** The times are printed only: they depend on the machine, and on what else it does. */
  @Test
  void aCallTakesLittleMoreMemoryThanItsLock() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Shops.class)) {
      DistributedLock lock = context.getBean(Lockkeeper.class).lock("stock:plums");
      Shop shop = context.getBean(Shop.class);

      long bare = of("the lock alone", () -> lock.run(() -> {})).bytes();

      assertThat(of("@Locked", shop::sell).bytes() - bare).isLessThanOrEqualTo(MOST_BYTES);
      assertThat(of("@Locked with a parameter as key", () -> shop.sell("apple")).bytes() - bare)
          .isLessThanOrEqualTo(MOST_BYTES);
      assertThat(
              of("@Locked with an expression as key", () -> shop.sell("Apple", 1)).bytes() - bare)
          .isLessThanOrEqualTo(MOST_BYTES);
    }
  }
}

package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@link Locked} costs beside the lock itself. */
class OverheadTest {

  private static final int WARM_UP = 20_000;
  private static final int TIMES = 20_000;
  private static final long MOST_BYTES = 1_536;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static class Shop {

    @Locked("stock")
    public void sell() {}

    @Locked(name = "stock", key = "#sku")
    public void sell(String sku) {}
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

  private long bytesOf(Runnable action) {
    for (int i = 0; i < WARM_UP; i++) {
      action.run();
    }
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    long begin = System.nanoTime();
    for (int i = 0; i < TIMES; i++) {
      action.run();
    }
    long nanos = System.nanoTime() - begin;
    long bytes = (threads.getThreadAllocatedBytes(thread) - before) / TIMES;
    System.out.printf("%,d ns and %,d bytes%n", nanos / TIMES, bytes);
    return bytes;
  }

  @Test
  void aCallTakesLittleMoreMemoryThanItsLock() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Shops.class)) {
      DistributedLock lock = context.getBean(Lockkeeper.class).lock("bare");
      Shop shop = context.getBean(Shop.class);

      long bare = bytesOf(() -> lock.run(() -> {}));

      assertThat(bytesOf(shop::sell) - bare).isLessThanOrEqualTo(MOST_BYTES);
      assertThat(bytesOf(() -> shop.sell("apple")) - bare).isLessThanOrEqualTo(2 * MOST_BYTES);
    }
  }
}

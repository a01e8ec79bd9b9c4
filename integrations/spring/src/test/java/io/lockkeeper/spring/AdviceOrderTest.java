package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Where the lock is taken among the other advice of a method. */
class AdviceOrderTest {

  private static final String URL = "memory:advice-order-test";

  /** Each lock is the first annotation or the last: that does not matter. */
  static class Shop {

    private final Lockkeeper keeper;
    private final AtomicInteger loads = new AtomicInteger();
    private final Queue<Long> tokens = new ConcurrentLinkedQueue<>();

    Shop(Lockkeeper keeper) {
      this.keeper = keeper;
    }

    Queue<Long> tokens() {
      return tokens;
    }

    @Transactional
    @Locked("transaction")
    public void inTransaction() {}

    @Cacheable("prices")
    @Locked(name = "cache", waitTime = "0")
    public int cached() {
      return loads.incrementAndGet();
    }

    @Locked("async")
    @Async
    public CompletableFuture<Boolean> async(Thread caller) {
      return CompletableFuture.completedFuture(
          keeper.lock("async").isLocked() && !Thread.currentThread().equals(caller));
    }

    @Locked("retry")
    @Retryable(maxRetries = 2, delay = 1)
    public void retried() {
      tokens.add(keeper.lock("retry").token());
      throw new IllegalStateException("attempt " + tokens.size());
    }
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  @EnableTransactionManagement(proxyTargetClass = true)
  @EnableCaching(proxyTargetClass = true)
  @EnableAsync(proxyTargetClass = true)
  @EnableResilientMethods(proxyTargetClass = true)
  static class Application {

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect(URL);
    }

    @Bean
    Shop shop(Lockkeeper keeper) {
      return new Shop(keeper);
    }

    @Bean
    CacheManager caches() {
      return new ConcurrentMapCacheManager();
    }

    @Bean
    MemoryTransactions transactions() {
      return new MemoryTransactions(1);
    }
  }

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(Application.class);
  private final Shop shop = context.getBean(Shop.class);
  private final Lockkeeper other = Lockkeeper.connect(URL);

  @AfterEach
  void close() {
    other.close();
    context.close();
  }

  @Test
  void theLockIsOutsideOfTheTransaction() {
    CompletableFuture<Boolean> lockedAtCommit = new CompletableFuture<>();
    context
        .getBean(MemoryTransactions.class)
        .beforeCommit(() -> lockedAtCommit.complete(other.lock("transaction").isLocked()));
    shop.inTransaction();
    assertThat(lockedAtCommit).isCompletedWithValue(true);
  }

  @Test
  void theLockIsOutsideOfTheCacheSoAHitTakesItToo() throws InterruptedException {
    assertThat(List.of(shop.cached(), shop.cached())).containsExactly(1, 1);
    try (Lease lease = other.lock("cache").acquire()) {
      assertThatExceptionOfType(AcquireTimeoutException.class).isThrownBy(shop::cached);
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void anAsynchronousMethodTakesTheLockOnTheThreadThatRunsIt() throws Exception {
    assertThat(shop.async(Thread.currentThread()).get(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Spring Framework 6 has no {@code @Retryable}. */
  @Test
  @Tag("newest")
  void eachAttemptTakesTheLockAnew() {
    assertThatIllegalStateException().isThrownBy(shop::retried).withMessage("attempt 3");
    assertThat(shop.tokens()).hasSize(3).doesNotHaveDuplicates();
  }
}

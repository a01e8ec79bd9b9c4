package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The classic defect: a lock that is released before the commit. */
class LockedTransactionTest {

  static class Shop {

    private final MemoryTransactions stock;
    private final AtomicInteger readers = new AtomicInteger();

    Shop(MemoryTransactions stock) {
      this.stock = stock;
    }

    int readers() {
      return readers.get();
    }

    @Transactional
    @Locked(name = "stock")
    public void deduct() {
      int left = stock.read();
      readers.incrementAndGet();
      stock.write(left - 1);
    }

    @Locked(name = "stock", release = ReleasePoint.AFTER_TRANSACTION)
    public void deductInside() {
      int left = stock.read();
      readers.incrementAndGet();
      stock.write(left - 1);
    }

    @Locked(name = "naive")
    public void tooEarly() {}
  }

  @Configuration
  static class Base {

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:locked-transaction-test");
    }

    @Bean
    MemoryTransactions transactions() {
      return new MemoryTransactions(10);
    }

    @Bean
    Shop shop(MemoryTransactions transactions) {
      return new Shop(transactions);
    }
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Ours {}

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  @EnableTransactionManagement(proxyTargetClass = true, order = Ordered.LOWEST_PRECEDENCE - 200)
  static class Naive {}

  @Configuration
  static class Failing {
    @Bean
    LockSettings settings() {
      return LockSettings.defaults().withInsideTransaction(InsideTransaction.FAIL);
    }
  }

  private static AnnotationConfigApplicationContext start(Class<?>... more) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(Base.class);
    context.register(more);
    context.refresh();
    return context;
  }

  /** Returns what is left of 10 when a second buyer comes while the first is about to commit. */
  private static int leftAfterTwo(AnnotationConfigApplicationContext context, boolean naive) {
    Shop shop = context.getBean(Shop.class);
    MemoryTransactions stock = context.getBean(MemoryTransactions.class);
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread second =
        new Thread(
            () -> {
              try {
                shop.deduct();
                done.complete(null);
              } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
              }
            });
    stock.beforeCommit(
        () -> {
          if (Thread.currentThread().equals(second)) {
            return;
          }
          second.start();
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () ->
                      naive
                          ? shop.readers() == 2
                          : second.getState() == Thread.State.WAITING
                              || second.getState() == Thread.State.TIMED_WAITING);
        });
    shop.deduct();
    done.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS).join();
    return stock.committed();
  }

  @Test
  void theLockIsOutsideOfTheTransaction() {
    try (var context = start(Ours.class)) {
      assertThat(leftAfterTwo(context, false)).isEqualTo(8);
    }
  }

  @Test
  void insideOfTheTransactionTheSecondBuyerReadsTheOldStock() {
    try (var context = start(Naive.class)) {
      assertThat(leftAfterTwo(context, true)).isEqualTo(9);
    }
  }

  @Test
  void insideATransactionAMethodFailsIfTheSettingsSaySo() {
    try (var context = start(Ours.class, Failing.class)) {
      Shop shop = context.getBean(Shop.class);
      TransactionTemplate transaction =
          new TransactionTemplate(context.getBean(MemoryTransactions.class));
      assertThatThrownBy(() -> transaction.executeWithoutResult(status -> shop.tooEarly()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("before the commit");
      shop.tooEarly();
      shop.deduct();
    }
  }

  @Test
  void aLockThatIsTakenInsideATransactionIsReleasedAfterIt() throws Exception {
    try (var context = start(Ours.class);
        Lockkeeper other = Lockkeeper.connect("memory:locked-transaction-test")) {
      Shop shop = context.getBean(Shop.class);
      MemoryTransactions stock = context.getBean(MemoryTransactions.class);
      TransactionTemplate transaction = new TransactionTemplate(stock);
      stock.beforeCommit(() -> assertThat(other.lock("stock").isLocked()).isTrue());
      transaction.executeWithoutResult(
          status -> {
            shop.deductInside();
            shop.deductInside();
            assertThat(other.lock("stock").isLocked()).isTrue();
          });
      assertThat(stock.committed()).isEqualTo(8);
      assertThat(other.lock("stock").tryLock(Duration.ofSeconds(30))).isTrue();
      other.lock("stock").unlock();
      transaction.executeWithoutResult(
          status -> {
            shop.deductInside();
            status.setRollbackOnly();
          });
      assertThat(stock.committed()).isEqualTo(8);
      assertThat(other.lock("stock").tryLock(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void aTransactionThatHasLostItsLockIsRolledBack() {
    try (var context = start(Ours.class)) {
      Shop shop = context.getBean(Shop.class);
      MemoryTransactions stock = context.getBean(MemoryTransactions.class);
      assertThatThrownBy(
              () ->
                  new TransactionTemplate(stock)
                      .executeWithoutResult(
                          status -> {
                            shop.deductInside();
                            context.getBean(Lockkeeper.class).close();
                          }))
          .isInstanceOf(LeaseLostException.class);
      assertThat(stock.committed()).isEqualTo(10);
    }
  }
}

package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.GuideExamples.PlainStock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** What the guide says of locks inside and outside of a transaction, without annotations. */
class TransactionsGuideTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Lockkeeper keeper = Lockkeeper.connect("memory:transactions-guide");
  private final MemoryTransactions number = new MemoryTransactions(10);
  private final TransactionTemplate transactions = new TransactionTemplate(number);
  private final PlainStock shop = new PlainStock(keeper, new OneNumber(number), transactions);

  private record OneNumber(MemoryTransactions number) implements GuideExamples.Stock {

    @Override
    public void deduct(String sku, int count) {
      number.write(number.read() - count);
    }

    @Override
    public void restock(String sku, int count, long token) {
      throw new UnsupportedOperationException();
    }
  }

  @AfterEach
  void close() {
    keeper.close();
  }

  private void sellTooEarly() {
    transactions.executeWithoutResult(tx -> shop.deductTooEarly("1001"));
  }

  @Test
  void insideOfTheTransactionASecondBuyerReadsTheOldStock() {
    Thread first = Thread.currentThread();
    number.beforeCommit(
        () -> {
          if (Thread.currentThread().equals(first)) {
            CompletableFuture.runAsync(this::sellTooEarly).orTimeout(60, TimeUnit.SECONDS).join();
          }
        });
    sellTooEarly();

    assertThat(number.committed()).isEqualTo(9);
  }

  @Test
  void outsideOfTheTransactionASecondBuyerWaitsForTheCommit() throws InterruptedException {
    Thread second = new Thread(() -> shop.deductInOrder("1001"));
    number.beforeCommit(
        () -> {
          if (!Thread.currentThread().equals(second)) {
            second.start();
            await()
                .atMost(LIMIT)
                .until(
                    () ->
                        second.getState() == Thread.State.WAITING
                            || second.getState() == Thread.State.TIMED_WAITING);
          }
        });
    shop.deductInOrder("1001");
    second.join(LIMIT.toMillis());

    assertThat(number.committed()).isEqualTo(8);
  }
}

package io.lockkeeper.spring;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The code that the guide shows. */
final class GuideExamples {

  private GuideExamples() {}

  @Configuration
  @EnableLocks
  static class LockConfiguration {

    @Bean
    Lockkeeper lockkeeper() {
      return Lockkeeper.builder().namespace("shop").connect("redis://localhost");
    }
  }

  interface Stock {

    void deduct(String sku, int count);

    void restock(String sku, int count, long token);
  }

  interface Reports {

    void write();
  }

  static class StockService {

    private final Stock stock;
    private final LockTemplate template;

    StockService(Stock stock, LockTemplate template) {
      this.stock = stock;
      this.template = template;
    }

    @Locked(name = "stock", key = "#sku")
    @Transactional
    public void deduct(String sku, int count) {
      stock.deduct(sku, count);
    }

    @Locked(name = "stock", key = "#sku", fenced = true)
    @Transactional
    public void deductFenced(String sku, int count) {
      stock.deduct(sku, count);
    }

    @Locked(name = "stock", key = "#sku", waitTime = "5s")
    public void restock(String sku, int count, Lease lease) {
      stock.restock(sku, count, lease.token());
    }

    public void restockOne(String sku) {
      template.execute(
          "stock:" + sku,
          lease -> {
            stock.restock(sku, 1, lease.token());
            return null;
          });
    }
  }

  static class PlainStock {

    private final Lockkeeper keeper;
    private final Stock stock;
    private final TransactionTemplate transactions;

    PlainStock(Lockkeeper keeper, Stock stock, TransactionTemplate transactions) {
      this.keeper = keeper;
      this.stock = stock;
      this.transactions = transactions;
    }

    @Transactional
    public void deductTooEarly(String sku) {
      // Released here, committed later.
      keeper.lock("stock:" + sku).run(() -> stock.deduct(sku, 1));
    }

    public void deductInOrder(String sku) {
      keeper
          .lock("stock:" + sku)
          .run(() -> transactions.executeWithoutResult(tx -> stock.deduct(sku, 1)));
    }
  }

  static class Jobs {

    private final Reports reports;

    Jobs(Reports reports) {
      this.reports = reports;
    }

    @Scheduled(cron = "0 0 2 * * *")
    @Locked(name = "nightly-report", atLeast = "5m")
    public void report() {
      reports.write();
    }
  }
}

package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.SqlFence;
import io.lockkeeper.spring.GuideExamples.Jobs;
import io.lockkeeper.spring.GuideExamples.Reports;
import io.lockkeeper.spring.GuideExamples.Stock;
import io.lockkeeper.spring.GuideExamples.StockService;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/**
 * What the guide shows of {@link Locked} runs: with transactions, fenced, by template, as a job.
 */
class SpringGuideTest {

  private static final String URL = "memory:spring-guide-test";

  @TempDir static Path folder;

  /** A stock in a table, whose rows remember the token of who restocked them. */
  private record Table(JdbcTemplate rows) implements Stock {

    @Override
    public void deduct(String sku, int count) {
      assertThat(count(sku)).isGreaterThanOrEqualTo(count);
      rows.update("update stock set left_over = left_over - ? where sku = ?", count, sku);
    }

    @Override
    public void restock(String sku, int count, long token) {
      rows.update(
          "update stock set left_over = left_over + ?, token = ? where sku = ? and token <= ?",
          count,
          token,
          sku,
          token);
    }

    private int count(String sku) {
      return rows.queryForObject("select left_over from stock where sku = ?", Integer.class, sku);
    }
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {

    final AtomicInteger reports = new AtomicInteger();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect(URL);
    }

    @Bean
    SqlFence fence() {
      return SqlFence.create();
    }

    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource(
          "jdbc:sqlite:" + folder.resolve("stock.db") + "?busy_timeout=60000");
    }

    @Bean
    PlatformTransactionManager transactions(DataSource source) {
      return new DataSourceTransactionManager(source);
    }

    @Bean
    Stock stock(DataSource source) {
      return new Table(new JdbcTemplate(source));
    }

    @Bean
    StockService service(Stock stock, Lockkeeper keeper) {
      return new StockService(stock, new LockTemplate(keeper));
    }

    @Bean
    Jobs jobs() {
      Reports report =
          () -> {
            reports.incrementAndGet();
            begun.countDown();
            try {
              assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      return new Jobs(report);
    }
  }

  private AnnotationConfigApplicationContext context;
  private JdbcTemplate rows;

  @BeforeEach
  void start() throws Exception {
    context = new AnnotationConfigApplicationContext(Application.class);
    DataSource source = context.getBean(DataSource.class);
    try (Connection connection = source.getConnection()) {
      SqlFence.createTable(connection);
    }
    rows = new JdbcTemplate(source);
    rows.execute("drop table if exists stock");
    rows.execute("create table stock (sku text, left_over integer, token integer default 0)");
    rows.update("insert into stock (sku, left_over) values ('1001', 100)");
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private int left() {
    return rows.queryForObject("select left_over from stock", Integer.class);
  }

  @Test
  void aStockIsSoldByManyThreadsAndRestocked() {
    StockService service = context.getBean(StockService.class);
    List<CompletableFuture<Void>> buyers =
        java.util.stream.IntStream.range(0, 4)
            .mapToObj(
                buyer ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 5; i++) {
                            service.deduct("1001", 1);
                            service.deductFenced("1001", 1);
                          }
                        }))
            .toList();
    buyers.forEach(buyer -> buyer.orTimeout(60, TimeUnit.SECONDS).join());
    assertThat(left()).isEqualTo(60);

    service.restock("1001", 5, null);
    service.restockOne("1001");

    assertThat(left()).isEqualTo(66);
    assertThat(rows.queryForObject("select token from stock", Long.class)).isPositive();
    assertThat(rows.queryForObject("select token from lockkeeper_fence", Long.class)).isPositive();
  }

  @Test
  void aJobThatRunsOrRanElsewhereIsSkippedInItsPeriod() {
    Application application = context.getBean(Application.class);
    Jobs jobs = context.getBean(Jobs.class);
    CompletableFuture<Void> running = CompletableFuture.runAsync(jobs::report);
    try {
      assertThat(application.begun.await(60, TimeUnit.SECONDS)).isTrue();
      jobs.report();
      assertThat(application.reports).hasValue(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      application.goOn.countDown();
    }
    running.orTimeout(60, TimeUnit.SECONDS).join();

    jobs.report();
    assertThat(application.reports).hasValue(1);

    context.getBean(Lockkeeper.class).lock("nightly-report").forceUnlock(); // the next period
    jobs.report();
    assertThat(application.reports).hasValue(2);
    context.getBean(Lockkeeper.class).lock("nightly-report").forceUnlock();
  }
}

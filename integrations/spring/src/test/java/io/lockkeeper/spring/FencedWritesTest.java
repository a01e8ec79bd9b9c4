package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.jdbc.SqlFence;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.testkit.tck.Promise;
import io.lockkeeper.testkit.tck.Threads;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A stock in a database, written in Spring's transactions. */
class FencedWritesTest {

  static class Shop {

    private final JdbcTemplate stock;

    Shop(JdbcTemplate stock) {
      this.stock = stock;
    }

    int left() {
      return stock.queryForObject("select left_over from stock", Integer.class);
    }

    void write(int left) {
      stock.update("update stock set left_over = ?", left);
    }

    @Transactional
    @Locked(
        name = "stock",
        leaseTime = "50ms",
        onLoss = OnLoss.NONE,
        keeper = "frozen",
        fenced = true)
    public void deductLate() {
      write(left() - 1);
    }

    @Transactional
    @Locked(name = "stock", fenced = true)
    public void deduct() {
      write(left() - 1);
    }

    @Transactional
    @Locked(name = "stock", fenced = true)
    public void fail() {
      write(left() - 1);
      throw new IllegalStateException("rolled back");
    }

    @Transactional
    @Locked(name = "stock", key = "#keys", fenced = true)
    public void deductAll(List<String> keys) {
      write(left() - keys.size());
    }

    @Locked(name = "stock", fenced = true)
    public void withoutTransaction() {
      write(0);
    }

    @Transactional
    @Locked(name = "stock", condition = "false", fenced = true)
    public void notLocked() {
      write(left() - 1);
    }
  }

  static class Shared {
    @Locked(name = "stock", mode = LockMode.READ, fenced = true)
    public void read() {}
  }

  /** The clock of a process that can be frozen. */
  static class Clock implements TimeSource {

    private volatile long frozenAtNanos;

    void freeze() {
      frozenAtNanos = nanos();
    }

    @Override
    public long nanos() {
      return frozenAtNanos == 0 ? System.nanoTime() : frozenAtNanos;
    }
  }

  /** Transactions before which something happens. */
  static class Transactions extends DataSourceTransactionManager {

    private static final long serialVersionUID = 1L;

    private transient volatile Runnable beforeBegin = () -> {};

    Transactions(DataSource source) {
      super(source);
    }

    void beforeBegin(Runnable action) {
      beforeBegin = action;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      beforeBegin.run();
      super.doBegin(transaction, definition);
    }
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {

    @Bean
    @Primary
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:fenced-writes-test");
    }

    @Bean
    Clock clock() {
      return new Clock();
    }

    @Bean
    Lockkeeper frozen(Clock clock) {
      // Only the jitter of pauses is random, on which nothing here depends.
      return Lockkeeper.builder()
          .environment(new Environment(clock, Threads::scheduler, new Random(1)))
          .connect("memory:fenced-writes-test");
    }

    @Bean
    SqlFence fence() {
      return SqlFence.create().withNamespace("shop");
    }

    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource(
          "jdbc:sqlite:" + System.getProperty("lockkeeper.test.fenced") + "?busy_timeout=60000");
    }

    @Bean
    Transactions transactions(DataSource source) {
      return new Transactions(source);
    }

    @Bean
    Shop shop(DataSource source) {
      return new Shop(new JdbcTemplate(source));
    }
  }

  @TempDir static Path folder;

  private AnnotationConfigApplicationContext context;
  private Shop shop;

  @BeforeEach
  void start() throws Exception {
    System.setProperty("lockkeeper.test.fenced", folder.resolve("stock.db").toString());
    context = new AnnotationConfigApplicationContext(Application.class);
    shop = context.getBean(Shop.class);
    try (Connection connection = context.getBean(DataSource.class).getConnection()) {
      SqlFence.createTable(connection);
    }
    JdbcTemplate stock = stock();
    stock.execute("create table if not exists stock (left_over integer not null)");
    stock.execute("delete from stock");
    stock.execute("insert into stock values (10)");
  }

  @AfterEach
  void stop() {
    context.close();
    System.clearProperty("lockkeeper.test.fenced");
  }

  private JdbcTemplate stock() {
    return new JdbcTemplate(context.getBean(DataSource.class));
  }

  private long written() {
    return stock()
        .queryForObject(
            "select max(token) from lockkeeper_fence where namespace = 'shop'", Long.class);
  }

  @Test
  void theTokenIsWrittenInTheTransactionOfTheMethod() {
    shop.deduct();
    long first = written();
    assertThat(first).isPositive();

    assertThatThrownBy(shop::fail).hasMessageContaining("rolled back");
    assertThat(written()).isEqualTo(first);
    shop.notLocked();
    assertThat(written()).isEqualTo(first);

    shop.deduct();
    assertThat(written()).isGreaterThan(first);
    assertThat(shop.left()).isEqualTo(7);
  }

  @Test
  void eachOfSeveralLocksHasItsToken() {
    shop.deductAll(List.of("a", "b"));

    assertThat(
            stock()
                .queryForList(
                    "select name from lockkeeper_fence where name like 'stock:%' order by name",
                    String.class))
        .containsExactly("stock:a", "stock:b");
  }

  /** It is frozen between the acquisition and the transaction; meanwhile another one writes. */
  @Test
  @Promise("T7")
  void whatAFrozenHolderWritesAfterTheNextOneIsRolledBack() {
    Transactions transactions = context.getBean(Transactions.class);
    Clock clock = context.getBean(Clock.class);
    transactions.beforeBegin(
        () -> {
          transactions.beforeBegin(() -> {});
          clock.freeze();
          CompletableFuture<Void> next = new CompletableFuture<>();
          new Thread(
                  () -> {
                    try {
                      shop.deduct();
                      next.complete(null);
                    } catch (RuntimeException | Error e) {
                      next.completeExceptionally(e);
                    }
                  })
              .start();
          next.orTimeout(60, TimeUnit.SECONDS).join();
        });

    assertThatExceptionOfType(StaleTokenException.class)
        .isThrownBy(shop::deductLate)
        .withMessageContaining("lock 'stock'");

    assertThat(shop.left()).isEqualTo(9);
  }

  @Test
  void theTransactionOfACallerIsAsGood() {
    TransactionTemplate transaction =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

    transaction.executeWithoutResult(status -> shop.withoutTransaction());

    assertThat(shop.left()).isZero();
    assertThat(written()).isPositive();
  }

  @Test
  void withoutATransactionAFencedMethodFailsBeforeItsBody() {
    assertThatThrownBy(shop::withoutTransaction)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Shop.withoutTransaction is fenced, but runs in no transaction");

    assertThat(shop.left()).isEqualTo(10);
  }

  @Test
  void whatSharesWithOthersCannotBeFenced() {
    assertThatThrownBy(
            () -> new AnnotationConfigApplicationContext(Application.class, Shared.class).close())
        .hasStackTraceContaining("is fenced, but shares what it holds with others");
  }
}

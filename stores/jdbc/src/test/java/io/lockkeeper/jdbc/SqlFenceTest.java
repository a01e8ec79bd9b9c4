package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.testkit.tck.Promise;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stock in a database, guarded by a lock that is somewhere else. */
class SqlFenceTest {

  private static final SqlFence FENCE = SqlFence.create().withNamespace("shop");

  /** The databases of applications. */
  enum Database {
    SQLITE,
    H2,
    POSTGRESQL,
    MARIADB,
    MYSQL;

    String url() {
      return switch (this) {
        case SQLITE -> Databases.sqlite("fence") + "?busy_timeout=60000";
        case H2 -> Databases.h2("fence");
        case POSTGRESQL -> Databases.postgres().jdbcUrl();
        case MARIADB -> Databases.mariaDb().jdbcUrl();
        case MYSQL -> Databases.mySqlUrl();
      };
    }
  }

  private static Connection connect(Database database) throws SQLException {
    return DriverManager.getConnection(database.url());
  }

  /** Makes the tables, with a stock of 10. */
  private static void prepare(Database database) throws SQLException {
    try (Connection connection = connect(database)) {
      SqlFence.createTable(connection);
      SqlFence.createTable(connection);
      execute(connection, "delete from lockkeeper_fence");
      execute(connection, "drop table if exists fenced_stock");
      execute(connection, "create table fenced_stock (left_over integer not null)");
      execute(connection, "insert into fenced_stock values (10)");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int left(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select left_over from fenced_stock")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  private static int left(Database database) throws SQLException {
    try (Connection connection = connect(database)) {
      return left(connection);
    }
  }

  /** Takes one, as an application does: check, read, write, commit. */
  private static void deduct(Connection connection, Lease lease) throws SQLException {
    connection.setAutoCommit(false);
    try {
      FENCE.check(connection, lease);
      execute(connection, "update fenced_stock set left_over = " + (left(connection) - 1));
      connection.commit();
    } finally {
      connection.rollback();
    }
  }

  /** A holder that does not move until its lease has ended, as by a long pause. */
  private static Lease frozen(Lockkeeper keeper) throws InterruptedException {
    return keeper
        .lock("stock")
        .acquire(AcquireOptions.defaults().withFixedLease(Duration.ofMillis(50)));
  }

  @ParameterizedTest
  @EnumSource
  @Promise("T7")
  void whatAFrozenHolderWritesAfterTheNextOneIsRefused(Database database) throws Exception {
    prepare(database);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:sql-fence-" + database);
        Connection first = connect(database);
        Connection second = connect(database)) {
      Lease late = frozen(keeper);
      deduct(first, late);
      deduct(first, late);
      Lease next = keeper.lock("stock").acquire();
      deduct(second, next);
      deduct(second, next);

      assertThatExceptionOfType(StaleTokenException.class)
          .isThrownBy(() -> deduct(first, late))
          .withMessageContaining("lock 'stock'")
          .satisfies(
              e -> {
                assertThat(e.kind()).isEqualTo(ResourceKind.LOCK);
                assertThat(e.name()).isEqualTo("stock");
                assertThat(e.token()).isEqualTo(late.token());
                assertThat(e.newerToken()).isEqualTo(next.token());
              });

      assertThat(left(database)).isEqualTo(6);
      deduct(second, next);
      assertThat(left(database)).isEqualTo(5);
    }
  }

  /** The first holder has checked and read, then it freezes; the second one reads what it wrote. */
  @ParameterizedTest
  @EnumSource
  @Promise("T7")
  void ofTwoTransactionsTheLaterReadsWhatTheEarlierWrote(Database database) throws Exception {
    prepare(database);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:sql-fence-order-" + database);
        Connection first = connect(database);
        Connection second = connect(database)) {
      first.setAutoCommit(false);
      FENCE.check(first, frozen(keeper));
      int read = left(first);
      Lease next = keeper.lock("stock").acquire();
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  deduct(second, next);
                  done.complete(null);
                } catch (SQLException | RuntimeException e) {
                  done.completeExceptionally(e);
                }
              });
      thread.start();
      await().atMost(Duration.ofSeconds(60)).until(() -> done.isDone() || isInTheDriver(thread));
      execute(first, "update fenced_stock set left_over = " + (read - 1));
      first.commit();

      try {
        done.orTimeout(60, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        throw new AssertionError(e.getCause());
      }
      assertThat(left(database)).isEqualTo(8);
    }
  }

  private static boolean isInTheDriver(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("executeUpdate")) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource(names = "SQLITE")
  void whatCannotFenceIsRefused(Database database) throws Exception {
    prepare(database);
    try (Connection connection = connect(database)) {
      assertThatThrownBy(() -> FENCE.check(connection, ResourceKind.LOCK, "a", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("commits each statement");
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> FENCE.check(connection, ResourceKind.SEMAPHORE, "a", 1))
          .isInstanceOf(IllegalArgumentException.class);
      try (Lockkeeper keeper = Lockkeeper.connect("memory:sql-fence-shared");
          Lease read = keeper.readWriteLock("a").readLock().acquire()) {
        assertThatThrownBy(() -> FENCE.check(connection, read))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("use the write lock");
      }
      FENCE.check(connection, ResourceKind.LOCK, "a", 2);
      FENCE.check(connection, ResourceKind.LEADER_ELECTION, "a", 1);
      FENCE.withNamespace("other").check(connection, ResourceKind.LOCK, "a", 1);
      connection.rollback();
      FENCE.check(connection, ResourceKind.LOCK, "a", 1);
    }
  }

  /** The example of the guide. */
  private static final class Example {

    static void deduct(Connection connection, SqlFence fence, Lease lease) throws SQLException {
      connection.setAutoCommit(false);
      fence.check(connection, lease);
      try (Statement stock = connection.createStatement()) {
        stock.executeUpdate("update stock set count = count - 1 where sku = '1001'");
      }
      connection.commit();
    }
  }

  @Test
  void theGuidesExampleRuns() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Lockkeeper keeper = Lockkeeper.connect("memory:sql-fence-guide")) {
      SqlFence.createTable(connection);
      execute(connection, "create table stock (sku text, count integer)");
      Example.deduct(connection, SqlFence.create(), keeper.lock("stock").acquire());
    }
  }
}

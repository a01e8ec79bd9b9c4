package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a transaction whose step ends in a way that nobody expects. */
class TransactionsTest {

  private String url = "";
  private Transactions transactions;

  @BeforeEach
  void open() throws SQLException {
    url = Databases.postgres().jdbcUrl();
    run("create table if not exists steps (id integer primary key, done integer not null)");
    run("insert into steps values (1, 0) on conflict (id) do update set done = 0");
    Dialect dialect = new PostgreSqlDialect();
    Connections links =
        new OwnLinks(() -> DriverManager.getConnection(url), dialect, 30_000, false);
    transactions =
        new Transactions(
            links,
            Notifications.NONE,
            "client",
            TimeUnit.SECONDS.toNanos(30),
            1,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns what is committed, or -1 if somebody has the row locked. */
  private int done() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select done from steps where id = 1 for update skip locked")) {
      return rows.next() ? rows.getInt(1) : -1;
    }
  }

  private static int change(Session session, int number) throws SQLException {
    return session.update("update steps set done = ? where id = 1", number);
  }

  /** Throws what the compiler does not know of. */
  @SuppressWarnings({"unchecked", "UnusedVariable"}) // the parameter decides what is declared
  private static <T extends Throwable> void sneak(Throwable thrown, Class<T> as) throws T {
    throw (T) thrown;
  }

  private void assertNothingIsLeftOf(Supplier<? extends Throwable> thrown) {
    Outcome<Integer> outcome =
        StoreProbe.get(
            transactions.ask(
                "a",
                session -> {
                  change(session, 1);
                  sneak(thrown.get(), RuntimeException.class);
                  return 0;
                }));

    assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
    await().atMost(Delays.patience()).until(() -> done() == 0);
    assertThat(ask("b", session -> 7)).isEqualTo(7);
    await().atMost(Delays.patience()).until(() -> done() == 0);
    assertThat(ask("a", session -> change(session, 0))).isEqualTo(1);
  }

  @Test
  void whoAsksAfterTheEndIsAnswered() {
    transactions.close();

    assertThat(StoreProbe.get(transactions.ask("a", session -> 7)))
        .isInstanceOf(Outcome.Unknown.class);
  }

  private int ask(String about, Step<Integer> step) {
    return StoreProbe.answer(StoreProbe.get(transactions.ask(about, step)));
  }

  private static int get(CompletableFuture<Outcome<Integer>> outcome) {
    return StoreProbe.answer(StoreProbe.get(outcome));
  }

  @Test
  void anErrorInAStepLeavesNoRowLockedAndNothingHalfDone() {
    assertNothingIsLeftOf(() -> new StackOverflowError("on purpose"));
  }

  @Test
  void aCheckedExceptionThatNobodyDeclaredDoesNotEndTheThread() {
    assertNothingIsLeftOf(() -> new IOException("on purpose"));
  }

  @Test
  void anErrorInOneStepOfAGroupTakesNoOtherWithIt() {
    List<Step<Integer>> steps =
        List.of(
            session -> change(session, 0),
            session -> {
              throw new AssertionError("on purpose");
            },
            session -> 3);
    var gate = new CountDownLatch(1);
    var first =
        transactions.ask(
            "first",
            session -> {
              await().atMost(Delays.patience()).until(() -> gate.getCount() == 0);
              return 0;
            });
    var outcomes = new ArrayList<CompletableFuture<Outcome<Integer>>>();
    for (int i = 0; i < steps.size(); i++) {
      outcomes.add(transactions.ask("step " + i, steps.get(i)));
    }
    gate.countDown();

    assertThat(get(first)).isZero();
    assertThat(get(outcomes.get(0))).isEqualTo(1);
    assertThat(StoreProbe.get(outcomes.get(1))).isInstanceOf(Outcome.Unknown.class);
    assertThat(get(outcomes.get(2))).isEqualTo(3);
  }
}

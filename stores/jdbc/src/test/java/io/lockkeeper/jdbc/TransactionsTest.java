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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a transaction whose step ends in a way that nobody expects. */
class TransactionsTest {

  /** What the driver throws when it has committed the next time. */
  private final AtomicReference<Throwable> afterCommit = new AtomicReference<>();

  private String url = "";
  private FollowedSource source;
  private Transactions transactions;

  @BeforeEach
  void open() throws SQLException {
    url = Databases.postgres().jdbcUrl();
    run("create table if not exists steps (id integer primary key, done integer not null)");
    run("insert into steps values (1, 0) on conflict (id) do update set done = 0");
    Dialect dialect = new PostgreSqlDialect();
    source =
        new FollowedSource(Databases.pool(url)) {
          @Override
          Connection open() throws SQLException {
            return DriverManager.getConnection(url);
          }

          @Override
          Follower follow(Connection connection) {
            return new Follower() {
              @Override
              Object around(String sql, Sending sending) throws Throwable {
                Object result = sending.send();
                Throwable thrown = sql.equals("commit") ? afterCommit.getAndSet(null) : null;
                if (thrown != null) {
                  throw thrown;
                }
                return result;
              }
            };
          }
        };
    Connections links = new OwnLinks(source::getConnection, dialect, 30_000, WireFeatures.plain());
    transactions =
        new Transactions(
            links,
            NotificationChannel.NONE,
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

  private static int change(SqlSession session, int number) throws SQLException {
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

  private static int add(SqlSession session) throws SQLException {
    return session.update("update steps set done = done + 1 where id = 1");
  }

  /** Has a group of two gather, and something go wrong when it has been committed. */
  private void assertNothingIsDoneTwiceAfter(Throwable thrown) throws SQLException {
    var isBegun = new AtomicBoolean();
    var gate = new CountDownLatch(1);
    var first =
        transactions.ask(
            "first",
            session -> {
              isBegun.set(true);
              await().atMost(Delays.patience()).until(() -> gate.getCount() == 0);
              return 0;
            });
    await().atMost(Delays.patience()).untilTrue(isBegun); // it has a transaction of its own
    var one = transactions.ask("one", TransactionsTest::add);
    var other = transactions.ask("other", session -> 3);
    var late =
        transactions.ask(
            "zz",
            session -> {
              afterCommit.set(thrown);
              return 0;
            });
    gate.countDown();

    assertThat(get(first)).isZero();
    for (var outcome : List.of(one, other, late)) {
      assertThat(StoreProbe.get(outcome)).isInstanceOf(Outcome.Unknown.class);
    }
    assertThat(ask("after", session -> 7)).isEqualTo(7);
    assertThat(done()).isEqualTo(1);
  }

  @Test
  void anErrorAfterTheCommitOfAGroupDoesNotRunItAgain() throws SQLException {
    assertNothingIsDoneTwiceAfter(new StackOverflowError("on purpose"));
  }

  /** By its kind it could be one about rows that Lockkeeper did not write. */
  @Test
  void anExceptionAfterTheCommitOfAGroupDoesNotRunItAgain() throws SQLException {
    assertNothingIsDoneTwiceAfter(new NullPointerException("on purpose"));
  }

  @Test
  void anExceptionAfterACommitIsNoRefusal() throws SQLException {
    afterCommit.set(new NullPointerException("on purpose"));

    assertThat(StoreProbe.get(transactions.ask("a", TransactionsTest::add)))
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(done()).isEqualTo(1);
  }

  @Test
  void anErrorInWhatFollowsACommitChangesNoAnswer() {
    int answer =
        ask(
            "a",
            session -> {
              session.ifCommitted(
                  () -> {
                    throw new AssertionError("on purpose");
                  });
              return 5;
            });

    assertThat(answer).isEqualTo(5);
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

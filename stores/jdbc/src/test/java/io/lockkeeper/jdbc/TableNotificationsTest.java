package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.ForwardingListener;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Notifications through a table, where the database sends none. */
class TableNotificationsTest {

  private final String url = Databases.sqlite("notifications");

  private void put(String client, String content) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into lockkeeper_hint (client, sent_micros, content)"
                    + " values (?, 9000000000000000, ?)")) {
      insert.setString(1, client);
      insert.setString(2, content);
      insert.executeUpdate();
    }
  }

  private int notifications(String client) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement count =
            connection.prepareStatement("select count(*) from lockkeeper_hint where client = ?")) {
      count.setString(1, client);
      try (ResultSet rows = count.executeQuery()) {
        return rows.getInt(1);
      }
    }
  }

  /** A client of a newer version may write what this one does not know. */
  @Test
  void aNotificationThatCannotBeReadIsDeletedAndTheNextOnesAreDelivered() throws Exception {
    try (StoreProbe probe = Probes.open(url, "notifications")) {
      for (String content : List.of("Z|what a newer version says", "", "G|1", "C|no|kind")) {
        put(probe.id, content);
      }
      put(probe.id, "W|known");

      assertThat(probe.notification()).isEqualTo("contended lock 'known'");
      await().atMost(Delays.patience()).until(() -> notifications(probe.id) == 0);

      put(probe.id, "W|later");
      assertThat(probe.notification()).isEqualTo("contended lock 'later'");
      await().atMost(Delays.patience()).until(() -> notifications(probe.id) == 0);
      assertThat(probe.notifications).isEmpty();
    }
  }

  @Test
  void anErrorInAPollDoesNotEndThePolls() throws Exception {
    SqliteDialect dialect = new SqliteDialect();
    AtomicBoolean fails = new AtomicBoolean(true);
    TimeSource failing =
        () -> {
          boolean isPolling = Thread.currentThread().getName().equals("lockkeeper-jdbc-polls");
          if (isPolling && fails.getAndSet(false)) {
            throw new NoClassDefFoundError("made up");
          }
          return System.nanoTime();
        };
    CompletableFuture<String> heard = new CompletableFuture<>();
    try (StoreProbe tables = Probes.open(url, "notifications");
        TableNotifications notifications =
            new TableNotifications(dialect, "other", System::nanoTime);
        Transactions transactions =
            new Transactions(
                new OwnLinks(
                    () -> DriverManager.getConnection(url), dialect, 30_000, WireFeatures.plain()),
                notifications,
                "other",
                TimeUnit.SECONDS.toNanos(30),
                1,
                environment(failing))) {
      assertThat(tables.id).isNotEqualTo("other");
      notifications.use(transactions);
      notifications.listen(new Contended(heard::complete));
      put("other", "W|known");

      assertThat(heard).succeedsWithin(Delays.patience()).isEqualTo("known");
      assertThat(fails).isFalse();
    }
  }

  /** A notification stays in the table for a while, where the next polls find it again. */
  @Test
  void aPollWithoutAnAnswerDeliversNothingASecondTime() {
    BlockingQueue<Outcome<List<TableNotifications.Sent>>> answers = new LinkedBlockingQueue<>();
    TableNotifications.Sent one = new TableNotifications.Sent(1, "W|one");
    TableNotifications.Sent two = new TableNotifications.Sent(2, "W|two");
    answers.add(Outcome.answered(List.of()));
    answers.add(Outcome.answered(List.of(one)));
    answers.add(Outcome.answered(List.of(one))); // of the deletion
    answers.add(new Outcome.Unknown<>(new SQLException("no answer")));
    answers.add(Outcome.answered(List.of(one, two)));
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (TableNotifications notifications =
        new TableNotifications(new SqliteDialect(), "other", System::nanoTime)) {
      notifications.use(
          step -> {
            Outcome<List<TableNotifications.Sent>> answer = answers.poll();
            return CompletableFuture.completedFuture(
                answer == null ? Outcome.answered(List.of()) : answer);
          });
      notifications.listen(new Contended(heard::add));
      await().atMost(Delays.patience()).until(() -> heard.contains("two"));
    }

    assertThat(heard).containsExactly("one", "two");
  }

  private static Environment environment(TimeSource time) {
    return new Environment(time, Threads::scheduler, new Random(1));
  }

  /** Takes the names of contended locks. */
  private static final class Contended extends ForwardingListener {

    private final Consumer<String> heard;

    Contended(Consumer<String> heard) {
      this.heard = heard;
    }

    @Override
    protected void forward(Consumer<NotificationListener> notification) {}

    @Override
    public void contended(ResourceId resource) {
      heard.accept(resource.name());
    }
  }
}

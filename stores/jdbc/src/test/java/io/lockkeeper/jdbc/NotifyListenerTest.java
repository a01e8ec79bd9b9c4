package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.NotificationLines;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hearing what PostgreSQL notifies. */
class NotifyListenerTest {

  private static final int TIMEOUT_MILLIS = 10_000;

  private final String client = UUID.randomUUID().toString().replace("-", "");
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();
  private String url = "";
  private Transactions transactions;

  @BeforeEach
  void findServer() {
    url = Databases.postgres().jdbcUrl();
    transactions = transactions();
  }

  private Transactions transactions() {
    return new Transactions(
        new OwnLinks(this::connect, new PostgreSqlDialect(), TIMEOUT_MILLIS, WireFeatures.plain()),
        NotificationChannel.NONE,
        client,
        TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS),
        1,
        new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
  }

  @AfterEach
  void close() {
    if (transactions != null) {
      transactions.close();
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  private NotifyListener open() throws SQLException {
    NotifyListener listener =
        NotifyListener.open(
            this::connect,
            NotifyListener.asker(transactions),
            client,
            TIMEOUT_MILLIS,
            System::nanoTime,
            new Random(1));
    listener.start(new NotificationLines(heard));
    return listener;
  }

  private int ask(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  private void send(Notification notification) throws SQLException {
    String text = NotificationText.write(notification).replace("'", "''");
    ask("select 1 from pg_notify('" + ChannelNotifications.channel(client) + "', '" + text + "')");
  }

  private void awaitHeard(String what) {
    await().atMost(Delays.patience()).until(() -> heard.contains(what));
  }

  /** Finds it by the last statement on it, which has the channel in it. */
  private int connectionsThatListen() throws SQLException {
    return ask(
        "select count(*) from pg_stat_activity where pid <> pg_backend_pid() and query like '%"
            + ChannelNotifications.channel(client)
            + "%'");
  }

  @Test
  void hintsOfAllKindsAreHeard() throws SQLException {
    try (NotifyListener listener = open()) {
      send(new Notification.Contended(client, ResourceId.lock("it's|mine")));
      send(new Notification.Revoked(client, ResourceId.lock("r")));
      send(new Notification.Changed(client, new CellId(CellKind.VALUE, "v")));

      awaitHeard("changed VALUE v");
      assertThat(heard)
          .containsExactly("contended lock 'it's|mine'", "revoked lock 'r'", "changed VALUE v");
      assertThat(listener).isNotNull();
    }
  }

  @Test
  void whatMakesNoSenseIsPassedOver() throws SQLException {
    try (NotifyListener listener = open()) {
      ask("select 1 from pg_notify('" + ChannelNotifications.channel(client) + "', 'what?')");
      send(new Notification.Contended(client, ResourceId.lock("r")));

      awaitHeard("contended lock 'r'");
      assertThat(heard).hasSize(1);
      assertThat(listener).isNotNull();
    }
  }

  @Test
  void aLostConnectionIsOpenedAgainAndSaid() throws SQLException {
    try (NotifyListener listener = open()) {
      send(new Notification.Contended(client, ResourceId.lock("before")));
      awaitHeard("contended lock 'before'");

      ask(
          "select count(pg_terminate_backend(pid)) from pg_stat_activity"
              + " where pid <> pg_backend_pid() and query like '%"
              + ChannelNotifications.channel(client)
              + "%'");

      // once when it is lost, and again when it listens
      await()
          .atMost(Delays.patience())
          .until(() -> Collections.frequency(heard, "reconnected") == 2);
      send(new Notification.Contended(client, ResourceId.lock("after")));
      awaitHeard("contended lock 'after'");
      assertThat(listener).isNotNull();
    }
  }

  @Test
  void closingEndsTheConnection() throws SQLException {
    NotifyListener listener = open();
    assertThat(connectionsThatListen()).isPositive();

    listener.close();

    await().atMost(Delays.patience()).until(() -> connectionsThatListen() == 0);
  }

  @Test
  void aClientThatDoesNotHearStillTellsOthers() {
    NotificationChannel silent = new ChannelNotifications(null);

    assertThat(silent.areHeard()).isFalse();
    assertThat(silent.areOn()).isTrue();
  }
}

package io.lockkeeper.jdbc;

import io.lockkeeper.spi.NotificationListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A thread that hears what PostgreSQL notifies this client of, on a connection of its own. When
 * that is lost it opens another, again and again with growing pauses, and then says that
 * notifications may have been missed.
 */
final class NotifyListener implements AutoCloseable {

  /** How long it waits for notifications before it makes sure that the server is still there. */
  private static final int QUIET_MILLIS = 5_000;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LAST_PAUSE_MILLIS = 5_000;
  private static final long FAREWELL_MILLIS = 1_000;

  private final OwnLinks.Opener opener;
  private final String client;
  private final NotificationReader reader;
  private final int timeoutMillis;
  private final RandomGenerator random;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Connection connection;
  private volatile @Nullable Thread thread;

  private NotifyListener(
      OwnLinks.Opener opener, String client, int timeoutMillis, RandomGenerator random) {
    this.opener = opener;
    this.client = client;
    this.reader = new NotificationReader(client);
    this.timeoutMillis = timeoutMillis;
    this.random = random;
  }

  /**
   * Connects and begins to collect what is notified.
   *
   * @param timeoutMillis how long the server may take for an answer
   * @throws SQLException if this connection cannot hear: another driver, or a proxy that takes a
   *     connection away after each transaction
   */
  static NotifyListener open(
      OwnLinks.Opener opener, String client, int timeoutMillis, RandomGenerator random)
      throws SQLException {
    NotifyListener listener = new NotifyListener(opener, client, timeoutMillis, random);
    PgDriver notifications = listener.connect();
    try {
      listener.execute("select pg_notify('" + ChannelNotifications.channel(client) + "', '')");
      if (notifications.await(timeoutMillis).isEmpty()) {
        throw new SQLException("what is notified does not arrive");
      }
      return listener;
    } catch (SQLException | RuntimeException e) {
      listener.disconnect();
      throw e;
    }
  }

  private PgDriver connect() throws SQLException {
    Connection opened = opener.open();
    connection = opened;
    try {
      opened.setAutoCommit(true);
      try {
        opened.setNetworkTimeout(Runnable::run, QUIET_MILLIS + timeoutMillis);
      } catch (SQLFeatureNotSupportedException e) {
        // a dead server is noticed later
      }
      listenToChannel();
      return PgDriver.of(opened);
    } catch (SQLException | RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  private void listenToChannel() throws SQLException {
    execute("listen \"" + ChannelNotifications.channel(client) + "\"");
  }

  private void execute(String sql) throws SQLException {
    Connection current = connection;
    if (current == null) {
      throw new SQLException("the connection is closed");
    }
    try (Statement statement = current.createStatement()) {
      statement.execute(sql);
    }
  }

  private void disconnect() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      try {
        current.close();
      } catch (SQLException e) {
        // it was broken already
      }
    }
  }

  /** Begins to tell. Called once. */
  void start(NotificationListener listener) {
    Thread hearing = new Thread(() -> hear(listener), "lockkeeper-jdbc-listen");
    hearing.setDaemon(true);
    thread = hearing;
    hearing.start();
  }

  private void hear(NotificationListener listener) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    boolean isFirst = true;
    while (closed.getCount() > 0) {
      try {
        PgDriver notifications = isFirst ? reuse() : connect();
        if (!isFirst) {
          listener.reconnected();
        }
        pauseMillis = FIRST_PAUSE_MILLIS;
        while (closed.getCount() > 0) {
          deliver(listener, notifications);
        }
      } catch (SQLException | RuntimeException | Error e) {
        disconnect();
        pause(pauseMillis);
        pauseMillis = Math.min(LAST_PAUSE_MILLIS, 2 * pauseMillis);
      }
      isFirst = false;
    }
    disconnect();
  }

  private PgDriver reuse() throws SQLException {
    Connection current = connection;
    return current == null ? connect() : PgDriver.of(current);
  }

  private void deliver(NotificationListener listener, PgDriver notifications) throws SQLException {
    var texts = notifications.await(QUIET_MILLIS);
    if (texts.isEmpty()) {
      listenToChannel(); // does nothing if the server is still there
    }
    for (String text : texts) {
      if (!text.isEmpty()) {
        reader.deliver(listener, text);
      }
    }
  }

  private void pause(long millis) {
    try {
      closed.await(random.nextLong(millis) + millis / 2, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed.countDown();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Connection current = connection;
    Thread hearing = thread;
    if (current != null) {
      try {
        current.abort(Runnable::run);
      } catch (SQLException e) {
        // it was broken already
      }
    }
    if (hearing != null && hearing != Thread.currentThread()) {
      try {
        hearing.join(FAREWELL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    disconnect();
  }
}

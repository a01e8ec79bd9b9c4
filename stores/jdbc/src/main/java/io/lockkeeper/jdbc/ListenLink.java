package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The connection on which a client listens. A pool that it comes from gets it back as it was.
 *
 * <p>All is done on the driver's own connection, behind the pool's back, because a pool may log or
 * throw away what it sees fail, and this one is aborted on purpose where nothing else ends a wait.
 */
final class ListenLink {

  /** How often the session is looked for on which a {@code LISTEN} was left. */
  private static final int MOST_ATTEMPTS = 30;

  private final Connection given;
  private final Connection own;
  private final PgDriver driver;
  private final String channel;
  private final SqlLink link;

  /** Whether it has been aborted or given back: what is in a pool again must not be aborted. */
  private final AtomicBoolean isOver = new AtomicBoolean();

  private long session;
  private boolean listens;

  private ListenLink(Connection given, PgDriver driver, String channel) throws SQLException {
    this.given = given;
    this.driver = driver;
    this.own = driver.own(given);
    this.channel = channel;
    this.link = new SqlLink(own, new PostgreSqlDialect(), false, null, null, WireFeatures.plain());
  }

  /**
   * Prepares a connection, which is closed if that fails.
   *
   * @param limitMillis how long the server may say nothing
   */
  static ListenLink of(Connection given, String channel, int limitMillis) throws SQLException {
    boolean isReady = false;
    try {
      ListenLink made = new ListenLink(given, PgDriver.of(given), channel);
      made.prepare(limitMillis);
      isReady = true;
      return made;
    } finally {
      if (!isReady) {
        BorrowedLinks.abandon(given);
      }
    }
  }

  private void prepare(int limitMillis) throws SQLException {
    boolean auto = own.getAutoCommit();
    own.setAutoCommit(true);
    link.restoreAutoCommit(auto);
    link.limit(limitMillis);
    session = ask("select pg_backend_pid()");
  }

  /** Returns the server's number of the session that it had when it was opened. */
  long session() {
    return session;
  }

  /** Returns whether it still has the session with which it was opened. */
  boolean hasItsSession() throws SQLException {
    return ask("select pg_backend_pid()") == session;
  }

  /**
   * Begins to listen, which changes nothing if it does; returns whether that was done on its own
   * session.
   */
  boolean listen() throws SQLException {
    long at = askAbout("listen");
    if (at == session) {
      listens = true;
      return true;
    }
    unlisten(at);
    return false;
  }

  /** Takes the {@code LISTEN} back on the session where it is, as often as may be needed. */
  private void unlisten(long at) throws SQLException {
    int attempts = 0;
    while (askAbout("unlisten") != at && attempts < MOST_ATTEMPTS) {
      attempts++;
    }
  }

  /** Does something about the channel and returns the session on which that was done. */
  private long askAbout(String verb) throws SQLException {
    return ask("select pg_backend_pid(); " + verb + " \"" + channel + "\"");
  }

  private long ask(String sql) throws SQLException {
    try (Statement statement = own.createStatement()) {
      boolean isRows = statement.execute(sql);
      while (!isRows && statement.getUpdateCount() >= 0) {
        isRows = statement.getMoreResults();
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? row.getLong(1) : -1;
      }
    }
  }

  /** Waits until something is notified, or the time is up; returns what was. */
  List<String> await(int timeoutMillis) throws SQLException {
    return driver.await(own, channel, timeoutMillis);
  }

  /** Ends a wait under way, and the connection. */
  void abort() {
    if (!isOver.compareAndSet(false, true)) {
      return;
    }
    try {
      own.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      // it was broken already
    }
  }

  /** Ends listening, and closes the connection or gives it back. */
  void close() {
    boolean isRestored = restore();
    if (isOver.compareAndSet(false, true) && isRestored) {
      OwnLinks.close(given);
    } else {
      // A pool has not seen what happened to the connection of the driver. It must lend neither a
      // session that may listen nor one that was aborted.
      BorrowedLinks.abandon(given);
    }
  }

  /** Makes it as it was given; returns whether it is. */
  private boolean restore() {
    try {
      if (own.isClosed()) {
        return false;
      }
      if (listens) {
        unlisten(session);
      }
      link.restore();
      return true;
    } catch (SQLException | RuntimeException broken) {
      return false;
    }
  }
}

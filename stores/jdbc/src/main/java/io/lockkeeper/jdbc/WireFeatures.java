package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The way from the driver to the server, as far as it is known. */
final class WireFeatures {

  /** Whether statements with a semicolon between them go to the server at once. */
  final boolean sendsJoined;

  /** PostgreSQL's own driver, or null if it is another one. */
  final @Nullable PgDriver driver;

  private volatile boolean sharesSessions;

  WireFeatures(boolean sendsJoined, @Nullable PgDriver driver) {
    this.sendsJoined = sendsJoined;
    this.driver = driver;
  }

  /** Returns that of which nothing is known. */
  static WireFeatures plain() {
    return new WireFeatures(false, null);
  }

  /**
   * Returns whether a pooler may give each transaction another session of the server, so that
   * nothing of an earlier one is there: no name of a statement, no {@code LISTEN}.
   */
  boolean sharesSessions() {
    return sharesSessions;
  }

  void shareSessions(boolean known) {
    sharesSessions = known;
  }

  /**
   * Throws away what another client's {@code LISTEN} brought: behind a pooler this connection may
   * get a session on which somebody listens, and the driver would keep all of it.
   */
  void drain(Connection connection) throws SQLException {
    if (driver != null) {
      driver.drain(connection);
    }
  }
}

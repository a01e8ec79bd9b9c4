package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgBouncerServerTest {

  private static final int ONE_SECOND = 1;
  private static final int LONG = 30;

  private static PostgresServer postgres;

  @BeforeAll
  static void start() {
    assumeTrue(PgBouncerServer.isInstalled(), PgBouncerServer.WHY_NONE);
    assumeTrue(
        PostgresServer.binaries().preferred().isPresent(), PostgresServer.binaries()::whyNone);
    postgres = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    if (postgres != null) {
      postgres.close();
    }
  }

  private static long session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static boolean areOneSession(PgBouncerServer bouncer) throws SQLException {
    try (Connection one = DriverManager.getConnection(bouncer.jdbcUrl());
        Connection other = DriverManager.getConnection(bouncer.jdbcUrl())) {
      return session(one) == session(other);
    }
  }

  @Test
  void aClientKeepsItsSessionForAsLongAsTheModeSays() throws SQLException {
    try (PgBouncerServer bouncer =
        PgBouncerServer.start(postgres, PgBouncerServer.Mode.SESSION, 2)) {
      assertThat(areOneSession(bouncer)).isFalse();
    }
    try (PgBouncerServer bouncer =
        PgBouncerServer.start(postgres, PgBouncerServer.Mode.TRANSACTION, 2)) {
      assertThat(areOneSession(bouncer)).isTrue();
    }
  }

  @Test
  void whilePausedItKeepsClientsWaitingAndAfterARestartItServesNewOnes() throws Exception {
    try (PgBouncerServer bouncer =
        PgBouncerServer.start(postgres, PgBouncerServer.Mode.TRANSACTION, 2)) {
      bouncer.pause();
      assertThat(isServed(bouncer, ONE_SECOND)).isFalse();
      bouncer.resume();
      assertThat(isServed(bouncer, LONG)).isTrue();
      bouncer.kill();
      bouncer.restart();
      assertThat(isServed(bouncer, LONG)).isTrue();
    }
  }

  /** Returns whether a statement is answered; the limits are seconds. */
  private static boolean isServed(PgBouncerServer bouncer, int seconds) {
    try (Connection connection =
        DriverManager.getConnection(bouncer.jdbcUrl() + "&socketTimeout=" + seconds)) {
      return session(connection) > 0;
    } catch (SQLException notInTime) {
      return false;
    }
  }

  @Test
  void inStatementModeThereAreNoTransactions() throws SQLException {
    try (PgBouncerServer bouncer =
            PgBouncerServer.start(postgres, PgBouncerServer.Mode.STATEMENT, 2);
        Connection connection = DriverManager.getConnection(bouncer.jdbcUrl())) {
      connection.setAutoCommit(false);

      assertThatThrownBy(() -> session(connection)).isInstanceOf(SQLException.class);
    }
  }
}

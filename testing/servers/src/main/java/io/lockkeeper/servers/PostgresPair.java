package io.lockkeeper.servers;

import io.lockkeeper.servers.fault.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A PostgreSQL server and a standby, which follows it until it is promoted. The other one may then
 * become the standby in its place.
 *
 * <p>Whether commits wait for the standby is set with {@code synchronous_standby_names}, where the
 * standby's name is {@value #STANDBY_NAME}. Not thread-safe.
 */
public final class PostgresPair implements AutoCloseable {

  /** The name of the standby at the primary. */
  public static final String STANDBY_NAME = "standby";

  private final List<PostgresServer> servers;
  private final TcpProxy stream;
  private PostgresServer primary;
  private PostgresServer standby;

  private PostgresPair(PostgresServer primary, PostgresServer standby, TcpProxy stream) {
    this.servers = List.of(primary, standby);
    this.primary = primary;
    this.standby = standby;
    this.stream = stream;
  }

  /** Starts both, with the settings of the builders. */
  public static PostgresPair start(
      SqlServerBuilder<PostgresServer> primary, SqlServerBuilder<PostgresServer> standby) {
    TcpProxy stream = new TcpProxy(SqlServer.HOST, Ports.free()); // to nobody yet
    PostgresPair pair =
        new PostgresPair(
            following(primary, stream).make(), following(standby, stream).make(), stream);
    try {
      pair.primary.initialize();
      pair.standby.copy(pair.primary);
      pair.primary.begin();
      pair.lead();
      return pair;
    } catch (ServerStartException e) {
      pair.close();
      throw e;
    }
  }

  /** Small logs are copied and replayed in no time. */
  private static SqlServerBuilder<PostgresServer> following(
      SqlServerBuilder<PostgresServer> builder, TcpProxy stream) {
    String address =
        "host=%s port=%s user=%s application_name=%s"
            .formatted(SqlServer.HOST, stream.port(), PostgresServer.USER, STANDBY_NAME);
    return builder
        .option("primary_conninfo", address)
        .option("wal_retrieve_retry_interval", "200ms")
        .option("wal_keep_size", "64MB")
        .option("max_wal_size", "64MB")
        .option("min_wal_size", "32MB");
  }

  /** Starts the standby behind the primary. */
  private void lead() {
    stream.leadTo(SqlServer.HOST, primary.port());
    standby.begin();
  }

  /** Returns the server that takes writes, or took them before it died. */
  public PostgresServer primary() {
    return primary;
  }

  /** Returns the other one. */
  public PostgresServer standby() {
    return standby;
  }

  /** Returns both, first the one that was the primary at first. */
  public List<PostgresServer> servers() {
    return servers;
  }

  /** Keeps from the standby what is committed from now on, until {@link #follow}. */
  public void cutOff() {
    stream.refuse();
  }

  /** Lets the standby get everything again. */
  public void follow() {
    stream.heal();
  }

  /**
   * Makes the standby take writes, and waits until it does. The primary should be dead by then; it
   * is what {@link #standby} returns from now on.
   */
  public void promote() {
    standby.promote();
    PostgresServer old = primary;
    primary = standby;
    standby = old;
  }

  /**
   * Ends the primary in good order, so that the standby lacks nothing, and has that one take
   * writes.
   */
  public void switchOver() {
    primary.stop();
    promote();
  }

  /**
   * Makes a server that was the primary, and is dead, a standby: a copy of the one that took its
   * place, which stands still meanwhile. Waits until it follows.
   */
  public void takeBack() {
    stream.heal();
    primary.freeze();
    try {
      standby.copy(primary);
    } finally {
      primary.thaw();
    }
    lead();
    awaitFollowing();
  }

  /** Waits until the standby has all that has been committed by now. */
  public void awaitFollowing() {
    try (Connection connection = DriverManager.getConnection(primary.jdbcUrl());
        Statement statement = connection.createStatement()) {
      String end = text(statement, "select pg_current_wal_lsn()");
      String question =
          "select exists (select 1 from pg_stat_replication where flush_lsn >= '" + end + "')";
      Waiting.until("the standby follows", () -> text(statement, question).equals("t"));
    } catch (SQLException e) {
      throw new ServerStartException("cannot ask the primary whether it is followed", e);
    }
  }

  private static String text(Statement statement, String question) {
    try (ResultSet row = statement.executeQuery(question)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the URL for JDBC that leads to whichever of the two takes writes. */
  public String jdbcUrl() {
    return "jdbc:postgresql://%s:%s,%s:%s/postgres?user=%s&targetServerType=primary"
        .formatted(
            SqlServer.HOST,
            servers.get(0).port(),
            SqlServer.HOST,
            servers.get(1).port(),
            PostgresServer.USER);
  }

  @Override
  public void close() {
    primary.close();
    standby.close();
    stream.close();
  }
}

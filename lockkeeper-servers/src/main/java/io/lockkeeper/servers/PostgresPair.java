package io.lockkeeper.servers;

import io.lockkeeper.servers.fault.TcpProxy;

/**
 * A PostgreSQL server and a standby, which follows it until it is promoted.
 *
 * <p>Whether commits wait for the standby is set with the primary's {@code
 * synchronous_standby_names}, where the standby's name is {@value #STANDBY_NAME}. Not thread-safe.
 */
public final class PostgresPair implements AutoCloseable {

  /** The name of the standby at the primary. */
  public static final String STANDBY_NAME = "standby";

  private final PostgresServer primary;
  private final PostgresServer standby;
  private final TcpProxy stream;

  private PostgresPair(PostgresServer primary, PostgresServer standby, TcpProxy stream) {
    this.primary = primary;
    this.standby = standby;
    this.stream = stream;
  }

  /** Starts both, with the settings of the builders. */
  public static PostgresPair start(
      SqlServerBuilder<PostgresServer> primary, SqlServerBuilder<PostgresServer> standby) {
    PostgresServer first = primary.option("wal_keep_size", "256MB").make();
    TcpProxy stream = new TcpProxy(SqlServer.HOST, first.port());
    String address =
        "host=%s port=%d user=%s application_name=%s"
            .formatted(SqlServer.HOST, stream.port(), PostgresServer.USER, STANDBY_NAME);
    PostgresServer second = standby.option("primary_conninfo", address).make();
    PostgresPair pair = new PostgresPair(first, second, stream);
    try {
      first.initialize();
      second.copy(first);
      first.launch();
      second.launch();
      return pair;
    } catch (ServerStartException e) {
      pair.close();
      throw e;
    }
  }

  /** Returns the server that takes writes at first. */
  public PostgresServer primary() {
    return primary;
  }

  /** Returns the other one. */
  public PostgresServer standby() {
    return standby;
  }

  /** Has the standby hear nothing more of what is committed, until {@link #follow}. */
  public void cutOff() {
    stream.refuse();
  }

  /** Has the standby hear of everything again. */
  public void follow() {
    stream.heal();
  }

  /** Has the standby take writes, and waits until it does. The primary should be dead by then. */
  public void promote() {
    standby.promote();
  }

  /** Returns the URL for JDBC that leads to whichever of the two takes writes. */
  public String jdbcUrl() {
    return "jdbc:postgresql://%s:%d,%s:%d/postgres?user=%s&targetServerType=primary"
        .formatted(
            SqlServer.HOST, primary.port(), SqlServer.HOST, standby.port(), PostgresServer.USER);
  }

  @Override
  public void close() {
    primary.close();
    standby.close();
    stream.close();
  }
}

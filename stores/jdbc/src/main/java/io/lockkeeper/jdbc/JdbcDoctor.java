package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Says which promises a database keeps with the settings that it has. */
final class JdbcDoctor implements StoreDoctor {

  private static final long LARGE_OFFSET_MICROS = 60_000_000;

  private final Function<StoreContext, SqlOpener> openers;
  private final Tables tables;

  /**
   * Makes one.
   *
   * @param openers makes the way to the database for a client
   * @param tables what becomes of tables that are not there
   */
  JdbcDoctor(Function<StoreContext, SqlOpener> openers, Tables tables) {
    this.openers = openers;
    this.tables = tables;
  }

  @Override
  public List<Finding> examine(StoreContext context) {
    return openers.apply(context).consult(this::examine);
  }

  private List<Finding> examine(Connection connection, Dialect dialect) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    findings.add(version(connection.getMetaData()));
    findings.add(tables(connection, dialect));
    findings.add(isolation(connection));
    clock(connection, dialect).ifPresent(findings::add);
    identity(connection, dialect).ifPresent(findings::add);
    pooler(connection).ifPresent(findings::add);
    findings.addAll(HealthCheck.of(connection, dialect));
    return findings;
  }

  private static Finding version(DatabaseMetaData data) throws SQLException {
    String product = data.getDatabaseProductName();
    String version = data.getDatabaseProductVersion();
    int number = 100 * data.getDatabaseMajorVersion() + data.getDatabaseMinorVersion();
    int needed =
        switch (product) {
          case "PostgreSQL" -> 1200;
          case "MySQL" -> 800;
          case "MariaDB" -> 1005;
          case "H2" -> 203;
          default -> 335;
        };
    String found = product + " " + version;
    return number >= needed
        ? Finding.ok("version", found)
        : Finding.fail(
            "version",
            found,
            "use " + product + " %d.%d or newer".formatted(needed / 100, needed % 100));
  }

  private Finding tables(Connection connection, Dialect dialect) throws SQLException {
    Schema.Version there = Schema.version(connection, dialect);
    boolean makes = tables == Tables.CREATE;
    if (there.isTooNew()) {
      return Finding.fail(
          "tables",
          "version %d, for clients of version %d"
              .formatted(there.version(), there.compatibleSince()),
          "use a newer lockkeeper-jdbc");
    } else if (there.version() == 0) {
      return makes
          ? Finding.ok("tables", "not there yet; the first client makes them")
          : Finding.fail("tables", "not there", "create them with " + Schema.file(dialect));
    }
    String missing =
        there.version() > Schema.VERSION ? "" : Schema.firstMissing(connection, dialect);
    return missing.isEmpty()
        ? Finding.ok(
            "tables",
            "version "
                + there.version()
                + (dialect.schema == null ? "" : " in schema " + dialect.schema))
        : Finding.fail("tables", missing + " is missing", "create it with " + Schema.file(dialect));
  }

  private static Finding isolation(Connection connection) throws SQLException {
    String level =
        switch (connection.getTransactionIsolation()) {
          case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
          case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
          case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
          case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
          default -> "unknown";
        };
    return Finding.ok("isolation", level + "; each operation locks its resource first");
  }

  /** The database's clock against this machine's: no promise rests on this one. */
  private static Optional<Finding> clock(Connection connection, Dialect dialect)
      throws SQLException {
    long before = nowMicros();
    Optional<String> there = one(connection, "select " + dialect.now);
    if (there.isEmpty()) {
      return Optional.empty();
    }
    long offset = Long.parseLong(there.get()) - (before + nowMicros()) / 2;
    String found =
        "%d ms %s this machine's"
            .formatted(Math.abs(offset) / 1_000, offset < 0 ? "behind" : "ahead of");
    return Optional.of(
        Math.abs(offset) < LARGE_OFFSET_MICROS
            ? Finding.ok("clock", found)
            : Finding.warn(
                "clock",
                found,
                "have both set by NTP: leases and tokens go by the database's clock, which must not"
                    + " jump when it is corrected"));
  }

  /** A failover is noticed by the server's being another one. */
  private static Optional<Finding> identity(Connection connection, Dialect dialect)
      throws SQLException {
    if (dialect.server.equals(Dialect.NO_SERVER)) {
      return Optional.empty();
    }
    String expression = dialect.serverExpression(connection);
    return Optional.of(
        expression.equals(Dialect.NO_SERVER)
            ? Finding.warn(
                "failover",
                "the server does not say which one it is",
                "let this account ask for "
                    + dialect.server
                    + ", or know that after a failover"
                    + " leases may end early, by the new server's clock (X1)")
            : Finding.ok(
                "failover",
                "noticed: this is server "
                    + one(connection, "select " + expression).orElse("?")
                    + "; have the clocks of all servers set by NTP all the same"));
  }

  /** A session other than the announced one is a pooler's. */
  private static Optional<Finding> pooler(Connection connection) throws SQLException {
    PgDriver driver = PgDriver.find(connection);
    return driver == null || driver.hasAnnouncedSession(connection)
        ? Optional.empty()
        : Optional.of(
            Finding.ok(
                "pooler",
                "one stands before the server; hand-offs are quick if it gives a client the same"
                    + " session for good (pool_mode = session), and slower if not"));
  }

  private static long nowMicros() {
    // How far this machine's clock is from the database's is what is examined here.
    // The wall clock of this machine is what is compared with the server's.
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** Returns the first column of the first row, or empty if the account may not ask. */
  static Optional<String> one(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
    } catch (SQLException e) {
      if (connection.isClosed()) {
        throw e;
      }
      return Optional.empty();
    }
  }
}

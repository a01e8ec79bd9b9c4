package io.lockkeeper.jdbc;

import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store.
 *
 * @param timeout how long an operation may take before its outcome counts as unknown
 * @param tables what becomes of tables that are not there
 * @param connections how many connections are used at a time, at most
 * @param synchronous whether a server that takes over lacks nothing that was committed
 * @param push whether clients tell each other what happens, where the database can
 * @param network whether a SQLite file may be on a network file system
 * @param schema the schema of the tables, or null for that in which connections are
 */
record Settings(
    Duration timeout,
    Tables tables,
    int connections,
    boolean synchronous,
    boolean push,
    boolean network,
    @Nullable String schema) {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final int LONGEST_NAME = 64;

  static final Settings DEFAULT =
      new Settings(Duration.ofSeconds(3), Tables.CREATE, 2, false, true, false, null);

  /** Checks. */
  Settings {
    if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout must be from 1 ms to 10 minutes, was " + DurationText.of(timeout));
    }
    if (connections < 1 || connections > 100) {
      throw new IllegalArgumentException("connections must be from 1 to 100, was " + connections);
    }
    if (schema != null && (schema.isBlank() || schema.length() > LONGEST_NAME)) {
      throw new IllegalArgumentException(
          "schema must be a name of 1 to 64 characters, was '" + schema + "'");
    }
  }

  Settings withTimeout(Duration limit) {
    return new Settings(limit, tables, connections, synchronous, push, network, schema);
  }

  Settings withTables(Tables wish) {
    return new Settings(timeout, wish, connections, synchronous, push, network, schema);
  }

  Settings withConnections(int number) {
    return new Settings(timeout, tables, number, synchronous, push, network, schema);
  }

  Settings withPush(boolean wish) {
    return new Settings(timeout, tables, connections, synchronous, wish, network, schema);
  }

  Settings withSynchronousReplication(boolean wish) {
    return new Settings(timeout, tables, connections, wish, push, network, schema);
  }

  Settings withNetwork(boolean wish) {
    return new Settings(timeout, tables, connections, synchronous, push, wish, schema);
  }

  Settings withSchema(String name) {
    return new Settings(timeout, tables, connections, synchronous, push, network, name);
  }

  int timeoutMillis() {
    return (int) Math.max(1, timeout.toMillis());
  }
}

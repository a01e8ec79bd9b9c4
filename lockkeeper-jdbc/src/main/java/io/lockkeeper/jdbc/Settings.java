package io.lockkeeper.jdbc;

import java.time.Duration;

/**
 * What may be chosen about a store.
 *
 * @param timeout how long an operation may take before its outcome counts as unknown
 * @param tables what becomes of tables that are not there
 * @param connections how many connections are used at a time, at most
 * @param push whether clients tell each other what happens, where the database can
 * @param network whether a SQLite file may be on a network file system
 */
record Settings(Duration timeout, Tables tables, int connections, boolean push, boolean network) {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  static final Settings DEFAULT =
      new Settings(Duration.ofSeconds(3), Tables.CREATE, 2, true, false);

  /** Checks. */
  Settings {
    if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout must be positive and at most 10 minutes, was " + timeout);
    }
    if (connections < 1 || connections > 100) {
      throw new IllegalArgumentException("connections must be from 1 to 100, was " + connections);
    }
  }

  Settings withTimeout(Duration limit) {
    return new Settings(limit, tables, connections, push, network);
  }

  Settings withTables(Tables wish) {
    return new Settings(timeout, wish, connections, push, network);
  }

  Settings withConnections(int number) {
    return new Settings(timeout, tables, number, push, network);
  }

  Settings withPush(boolean wish) {
    return new Settings(timeout, tables, connections, wish, network);
  }

  Settings withNetwork(boolean wish) {
    return new Settings(timeout, tables, connections, push, wish);
  }

  int timeoutMillis() {
    return (int) Math.max(1, timeout.toMillis());
  }
}

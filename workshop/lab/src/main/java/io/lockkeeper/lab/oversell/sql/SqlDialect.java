package io.lockkeeper.lab.oversell.sql;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** What differs between databases in the few statements that the lab needs. */
public enum SqlDialect {
  /** PostgreSQL. */
  POSTGRESQL("bigint generated always as identity primary key", " for update"),
  /** MariaDB and MySQL. */
  MYSQL("bigint auto_increment primary key", " for update"),
  /** SQLite: a transaction locks the whole file from its beginning. */
  SQLITE("integer primary key autoincrement", "");

  private static final String BUSY_TIMEOUT_MILLIS = "10000";

  private final String growingId;
  private final String forUpdate;

  SqlDialect(String growingId, String forUpdate) {
    this.growingId = growingId;
    this.forUpdate = forUpdate;
  }

  /** Returns that of a JDBC URL. */
  static SqlDialect of(String url) {
    String start = url.toLowerCase(Locale.ROOT);
    if (start.startsWith("jdbc:postgresql:")) {
      return POSTGRESQL;
    } else if (start.startsWith("jdbc:sqlite:")) {
      return SQLITE;
    } else if (start.startsWith("jdbc:mariadb:") || start.startsWith("jdbc:mysql:")) {
      return MYSQL;
    }
    throw new IllegalArgumentException(
        "must be jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql: or jdbc:sqlite:");
  }

  /** Returns the type of a key that the database counts up. */
  String growingId() {
    return growingId;
  }

  /** Returns what makes a select lock its rows until the end of the transaction. */
  public String forUpdate() {
    return forUpdate;
  }

  /** Returns the settings of a connection. */
  Properties properties() {
    Properties properties = new Properties();
    if (this == SQLITE) {
      properties.setProperty("busy_timeout", BUSY_TIMEOUT_MILLIS);
      properties.setProperty("journal_mode", "WAL");
    }
    return properties;
  }

  /**
   * Begins a transaction. SQLite's driver, left to itself, begins the next one with each commit and
   * so keeps the file locked.
   */
  void begin(Connection connection) throws SQLException {
    if (this == SQLITE) {
      execute(connection, "begin immediate");
    } else {
      connection.setAutoCommit(false);
    }
  }

  /** Commits it. */
  void commit(Connection connection) throws SQLException {
    if (this == SQLITE) {
      execute(connection, "commit");
    } else {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** Undoes it. */
  void rollBack(Connection connection) throws SQLException {
    if (this == SQLITE) {
      execute(connection, "rollback");
    } else if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /**
   * Returns the section about the last deadlock in the report of MariaDB's and MySQL's storage
   * engine; nothing if there is none, or if the database is another.
   */
  public List<String> lastDeadlock(Connection connection) throws SQLException {
    if (this != MYSQL) {
      return List.of();
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("show engine innodb status")) {
      return rows.next() ? section(rows.getString("Status")) : List.of();
    }
  }

  /** A section has a title between two rules, and ends where the next begins. */
  private static List<String> section(String report) {
    List<String> lines = report.lines().toList();
    int title = lines.indexOf("LATEST DETECTED DEADLOCK");
    if (title < 0) {
      return List.of();
    }
    return lines.stream().skip(title + 2L).takeWhile(line -> !line.matches("-{4,}")).toList();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the server's kind and version. */
  static String server(Connection connection) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    String version = about.getDatabaseProductVersion();
    return about.getDatabaseProductName() + " " + version.replaceAll("^[^0-9]*|[ -].*", "");
  }
}

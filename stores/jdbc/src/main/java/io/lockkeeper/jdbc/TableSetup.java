package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Finds the schema of the tables when a client connects, and creates or checks the tables. */
final class TableSetup {

  /** How long a statement that makes or changes a table may take: it may be a large one. */
  private static final int MIGRATION_MILLIS = 600_000;

  private static final String SCHEMA_SETTING =
      "JdbcStores.withSchema, lockkeeper.schema in a URL, or the property lockkeeper.jdbc.schema"
          + " with Spring Boot";

  private final Settings settings;
  private final String where;

  /**
   * Creates it.
   *
   * @param where the database, for messages
   */
  TableSetup(Settings settings, String where) {
    this.settings = settings;
    this.where = where;
  }

  /**
   * Returns the dialect for the schema of the tables, which does not change any more.
   *
   * @param isOwn whether nobody else has used the connection
   */
  Dialect inSchema(Connection connection, Dialect found, boolean isOwn) throws SQLException {
    String named = settings.schema();
    if (found instanceof SqliteDialect) {
      if (named != null) {
        throw refused("SQLite has no schemas: leave out " + SCHEMA_SETTING);
      }
      return found;
    } else if (named != null) {
      return found.in(named, connection);
    }
    String current = found.schemaOf(connection);
    if (current == null) {
      throw refused(where + ": the connection is in no schema; name one with " + SCHEMA_SETTING);
    }
    String before = isOwn ? null : found.schemaAtFirst(connection);
    if (before != null && !before.equalsIgnoreCase(current)) {
      throw refused(
          "%s gave a connection that is in schema %s and was in schema %s when its session began;"
                  .formatted(where, current, before)
              + " that one has tables of Lockkeeper, and clients that use different tables do not"
              + " exclude each other: name the schema with "
              + SCHEMA_SETTING);
    }
    return found.in(current, connection);
  }

  /** Creates what is not there, or refuses to work without it. */
  void check(Connection connection, Dialect found) throws SQLException {
    if (settings.schema() != null && !found.hasSchema(connection, settings.schema())) {
      makeSchema(connection, found, settings.schema());
    }
    Schema.Version version = Schema.version(connection, found);
    if (version.isTooNew()) {
      throw refused(Schema.tooNew(where, version));
    }
    String missing =
        version.version() > Schema.VERSION ? "" : Schema.firstMissing(connection, found);
    if (missing.isEmpty() && version.version() > 0) {
      return;
    }
    if (settings.tables() == Tables.EXPECT) {
      String what = missing.isEmpty() ? "no version of its tables" : "no table " + missing;
      throw refused(
          Schema.missing(
              found,
              where + " has " + what + (found.schema == null ? "" : " in schema " + found.schema)));
    }
    SqlLink link = new SqlLink(connection, found, false, null, null, WireFeatures.plain());
    link.limit(MIGRATION_MILLIS);
    create(connection, found);
    link.limit(settings.timeoutMillis());
  }

  /** In a transaction: a driver may make those read-only, and not what is outside of them. */
  static void checkWritable(Connection connection, Dialect found) throws SQLException {
    SqlLink link = new SqlLink(connection, found, false, null, null, WireFeatures.plain());
    try {
      link.begin();
      found.checkWritable(connection);
      link.commit();
    } catch (SQLException e) {
      try {
        link.rollback();
      } catch (SQLException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  private void makeSchema(Connection connection, Dialect found, String name) throws SQLException {
    if (settings.tables() == Tables.EXPECT) {
      throw refused(Schema.missing(found, where + " has no schema " + name));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("create schema if not exists " + found.quoted(name));
    } catch (SQLException e) {
      if (found.verdict(e) == Verdict.DENIED) {
        throw new StoreRefusedException(
            StoreProblem.DENIED,
            "%s has no schema %s, and this account may not create it: create it, or set another"
                    .formatted(where, name)
                + " with "
                + SCHEMA_SETTING);
      } else if (!found.isViolation(e)) { // another client was quicker
        throw e;
      }
    }
  }

  private static StoreRefusedException refused(String message) {
    return new StoreRefusedException(StoreProblem.OTHER, message);
  }

  /** Creates the tables; another client that does so at the same time may make one attempt fail. */
  private static void create(Connection connection, Dialect found) throws SQLException {
    for (int attempts = 0; ; attempts++) {
      try {
        Schema.create(connection, found);
        return;
      } catch (SQLException e) {
        if (attempts >= 5 || found.verdict(e) == Verdict.DENIED) {
          throw e;
        }
      }
    }
  }
}

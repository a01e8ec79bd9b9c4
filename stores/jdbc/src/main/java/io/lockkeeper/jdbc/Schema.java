package io.lockkeeper.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables, as the schema file of the dialect says.
 *
 * <p>A schema file is plain SQL for people and migration tools; its statements end with a semicolon
 * at the end of a line, comments begin with two hyphens, and what it makes may be there already.
 * Its name is that of one of Flyway's repeatable migrations, which have no version that could be an
 * application's too. The last statement writes the version into {@code lockkeeper_state}. A file
 * that was released is not edited: a later version of the tables has a further file, which adds to
 * this one.
 */
final class Schema {

  /** The version of the tables that this library makes. */
  static final int VERSION = 1;

  private static final String NAME = "R__lockkeeper_01.sql";
  private static final String STATE = "lockkeeper_state";
  private static final String LET =
      " (JdbcStores.withTables(Tables.CREATE), lockkeeper.tables=create in a URL,"
          + " lockkeeper.jdbc.tables=create with Spring Boot)";
  private static final Pattern TABLE = Pattern.compile("create table if not exists (\\w+)");

  /**
   * The version that the tables say they have.
   *
   * @param version their version; 0 if there are none
   * @param compatibleSince the version that a client must know, at least, to work on them
   */
  record Version(int version, int compatibleSince) {

    /** Returns whether a client of this library must not work on them. */
    boolean isTooNew() {
      return compatibleSince > VERSION;
    }
  }

  private Schema() {}

  /** Returns the place of the file on the class path. */
  static String file(Dialect dialect) {
    return "io/lockkeeper/jdbc/" + dialect.folder + "/" + NAME;
  }

  /** Returns the names of all tables. */
  static List<String> tables(Dialect dialect) {
    return TABLE
        .matcher(read(dialect.folder, NAME))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  /** Returns the statements that make the tables. */
  static List<String> statements(Dialect dialect) {
    String sql = read(dialect.folder, NAME).replaceAll("--[^\\n]*", "");
    return Arrays.stream(sql.split(";\\s*(?:\\n|$)"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /**
   * Returns the text of a file in a folder below this package. Those of dialects have migrations
   * only: tools that read such a folder may refuse other names.
   */
  static String read(String folder, String name) {
    String file = folder + "/" + name;
    try (InputStream in = Schema.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the first table that is not there, or an empty text. */
  static String firstMissing(Connection connection, Dialect dialect) throws SQLException {
    List<String> tables = tables(dialect);
    if (areThere(connection, dialect, tables)) {
      return "";
    }
    for (String table : tables) {
      if (!isThere(connection, dialect, table)) {
        return table;
      }
    }
    return "";
  }

  private static boolean isThere(Connection connection, Dialect dialect, String table)
      throws SQLException {
    return areThere(connection, dialect, List.of(table));
  }

  /** Asks for all of them at once. */
  private static boolean areThere(Connection connection, Dialect dialect, List<String> tables)
      throws SQLException {
    String question =
        tables.stream()
            .map(table -> "select 1 from " + table + " where 1 = 0")
            .collect(Collectors.joining(" union all "));
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery(dialect.qualified(question))) {
      return !none.next();
    } catch (SQLException e) {
      if (dialect.verdict(e) == Verdict.NO_TABLE) {
        return false;
      }
      throw e;
    }
  }

  /** Returns the version of the tables that are there. */
  static Version version(Connection connection, Dialect dialect) throws SQLException {
    Version written = isThere(connection, dialect, STATE) ? written(connection, dialect) : null;
    return written == null ? new Version(0, 0) : written;
  }

  private static @Nullable Version written(Connection connection, Dialect dialect)
      throws SQLException {
    String question = "select version, compatible_since from " + STATE;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(dialect.qualified(question))) {
      return rows.next() ? new Version(rows.getInt(1), rows.getInt(2)) : null;
    }
  }

  /** Makes what is not there; several clients may do so at once. */
  static void create(Connection connection, Dialect dialect) throws SQLException {
    for (String sql : statements(dialect)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(dialect.qualified(sql));
      } catch (SQLException e) {
        if (!dialect.isThereAlready(e)) {
          throw e;
        }
      }
    }
  }

  /** Returns the message for a table that is not there. */
  static String missing(Dialect dialect, String what) {
    return what
        + "; create the tables with "
        + file(dialect)
        + " (in the jar of lockkeeper-jdbc), or let Lockkeeper create them"
        + LET;
  }

  /** Returns the message for tables that are of a newer version, which this client cannot use. */
  static String tooNew(String where, Version found) {
    return ("the tables of %s are of version %d, which is for clients that know version %d or"
            + " later; this one knows version %d: use a newer lockkeeper-jdbc")
        .formatted(where, found.version(), found.compatibleSince(), VERSION);
  }
}

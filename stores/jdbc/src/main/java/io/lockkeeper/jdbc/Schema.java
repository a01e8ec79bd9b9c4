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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables, as the schema files of the dialect say: one for each version, which adds to those
 * before it.
 *
 * <p>A schema file is plain SQL for people and migration tools; its statements end with a semicolon
 * at the end of a line, comments begin with two hyphens, and what it makes may be there already. A
 * file that was released is not edited. Their names are those of Flyway's repeatable migrations,
 * which have no version that could be an application's too. The last statement of each writes its
 * version into {@code lockkeeper_state}, but for the first, which has no such table.
 */
final class Schema {

  /** The version of the tables that this library makes, and needs at least. */
  static final int VERSION = 2;

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

    /** Returns whether a client of this library can work on them as they are. */
    boolean isEnough() {
      return version >= VERSION && !isTooNew();
    }

    boolean isTooNew() {
      return compatibleSince > VERSION;
    }
  }

  private Schema() {}

  /** Returns the place of a version's file on the class path. */
  static String file(Dialect dialect, int version) {
    return "io/lockkeeper/jdbc/" + dialect.folder + "/" + name(version);
  }

  private static String name(int version) {
    return "R__lockkeeper_0" + version + ".sql";
  }

  /**
   * Returns the places of the files that take the tables from a version to that of this library.
   */
  static String files(Dialect dialect, int after) {
    return String.join(
        " and then ",
        IntStream.rangeClosed(after + 1, VERSION)
            .mapToObj(version -> file(dialect, version))
            .toList());
  }

  /** Returns the names of all tables. */
  static List<String> tables(Dialect dialect) {
    return IntStream.rangeClosed(1, VERSION)
        .mapToObj(version -> TABLE.matcher(read(dialect.folder, name(version))))
        .flatMap(Matcher::results)
        .map(result -> result.group(1))
        .toList();
  }

  /** Returns the statements that take the tables from the version before to this one. */
  static List<String> statements(Dialect dialect, int version) {
    String sql = read(dialect.folder, name(version)).replaceAll("--[^\\n]*", "");
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
    if (written != null) {
      return written;
    }
    int version = isThere(connection, dialect, tables(dialect).get(0)) ? 1 : 0;
    return new Version(version, version);
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
    for (int version = 1; version <= VERSION; version++) {
      for (String sql : statements(dialect, version)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(dialect.qualified(sql));
        } catch (SQLException e) {
          if (!dialect.isThereAlready(e)) {
            throw e;
          }
        }
      }
    }
  }

  /** Returns the message for a table that is not there. */
  static String missing(Dialect dialect, String what) {
    return what
        + "; create the tables with "
        + files(dialect, 0)
        + " (in the jar of lockkeeper-jdbc), or let Lockkeeper create them"
        + LET;
  }

  /** Returns the message for tables that are of an older version. */
  static String tooOld(Dialect dialect, String where, int version) {
    return "the tables of %s are of version %d, and this client needs version %d; run %s"
            .formatted(where, version, VERSION, files(dialect, version))
        + " (in the jar of lockkeeper-jdbc), which older clients do not mind, or let Lockkeeper do"
        + " it"
        + LET;
  }

  /** Returns the message for tables that are of a newer version, which this client cannot use. */
  static String tooNew(String where, Version found) {
    return ("the tables of %s are of version %d, which is for clients that know version %d or"
            + " later; this one knows version %d: use a newer lockkeeper-jdbc")
        .formatted(where, found.version(), found.compatibleSince(), VERSION);
  }
}

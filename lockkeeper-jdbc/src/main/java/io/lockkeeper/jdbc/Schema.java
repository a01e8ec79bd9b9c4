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

/**
 * The tables, as the schema file of the dialect says.
 *
 * <p>A schema file is plain SQL for people and migration tools; its statements end with a semicolon
 * at the end of a line, comments begin with two hyphens, and each statement does nothing if what it
 * creates is there.
 */
final class Schema {

  private static final String FILE = "V1__lockkeeper.sql";
  private static final Pattern TABLE = Pattern.compile("create table if not exists (\\w+)");

  private Schema() {}

  /** Returns the schema file's place on the class path. */
  static String file(Dialect dialect) {
    return "io/lockkeeper/jdbc/" + dialect.folder + "/" + FILE;
  }

  /** Returns the names of all tables. */
  static List<String> tables(Dialect dialect) {
    Matcher matcher = TABLE.matcher(read(dialect));
    return matcher.results().map(result -> result.group(1)).toList();
  }

  /** Returns the statements that create what is not there. */
  static List<String> statements(Dialect dialect) {
    String sql = read(dialect).replaceAll("--[^\\n]*", "");
    return Arrays.stream(sql.split(";\\s*(?:\\n|$)"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static String read(Dialect dialect) {
    try (InputStream in = Schema.class.getResourceAsStream(dialect.folder + "/" + FILE)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + file(dialect));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the first table that is not there, or an empty text. */
  static String firstMissing(Connection connection, Dialect dialect) throws SQLException {
    for (String table : tables(dialect)) {
      try (Statement statement = connection.createStatement();
          ResultSet none = statement.executeQuery("select 1 from " + table + " where 1 = 0")) {
        none.next();
      } catch (SQLException e) {
        if (dialect.verdict(e) == Verdict.NO_TABLE) {
          return table;
        }
        throw e;
      }
    }
    return "";
  }

  /** Creates what is not there; several clients may do so at once. */
  static void create(Connection connection, Dialect dialect) throws SQLException {
    for (String sql : statements(dialect)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  /** Returns the message for a table that is not there. */
  static String missing(Dialect dialect, String what) {
    return what
        + "; create the tables with "
        + file(dialect)
        + " (in the jar of lockkeeper-jdbc), or let Lockkeeper create them"
        + " (JdbcStores.withTables(Tables.CREATE), lockkeeper.tables=create in a URL)";
  }
}

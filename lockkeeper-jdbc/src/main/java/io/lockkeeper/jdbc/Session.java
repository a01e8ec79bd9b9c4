package io.lockkeeper.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as the steps in it see it: statements, and the hints that are sent when it is
 * committed.
 */
final class Session {

  /** Reads one row. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Link link;
  private final List<Hint> hints = new ArrayList<>();

  Session(Link link) {
    this.link = link;
  }

  Dialect dialect() {
    return link.dialect();
  }

  /** Changes rows and returns how many. */
  int update(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = link.prepare(sql);
    try {
      bind(statement, arguments);
      return statement.executeUpdate();
    } finally {
      link.done(statement);
    }
  }

  /** Returns the first row that a statement answers, or null if it answers none. */
  <T> @Nullable T first(String sql, Reader<T> reader, @Nullable Object... arguments)
      throws SQLException {
    PreparedStatement statement = link.prepare(sql);
    try {
      bind(statement, arguments);
      try (ResultSet rows = statement.executeQuery()) {
        T found = rows.next() ? reader.read(rows) : null;
        boolean more = found != null;
        while (more) {
          more = rows.next(); // to the end: only there is a change complete, and an error told
        }
        return found;
      }
    } finally {
      link.done(statement);
    }
  }

  /** Returns all rows that a statement answers. */
  <T> List<T> all(String sql, Reader<T> reader, @Nullable Object... arguments) throws SQLException {
    List<T> all = new ArrayList<>();
    PreparedStatement statement = link.prepare(sql);
    try {
      bind(statement, arguments);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(reader.read(rows));
        }
      }
    } finally {
      link.done(statement);
    }
    return all;
  }

  /** Has a hint sent if the transaction is committed. */
  void hint(Hint hint) {
    hints.add(hint);
  }

  /** Returns the hints of this transaction. */
  List<Hint> hints() {
    return hints;
  }

  private static void bind(PreparedStatement statement, @Nullable Object... arguments)
      throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof Long number) {
        statement.setLong(i + 1, number);
      } else if (argument instanceof Integer number) {
        statement.setInt(i + 1, number);
      } else if (argument instanceof Boolean flag) {
        statement.setInt(i + 1, flag ? 1 : 0);
      } else if (argument instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        statement.setString(i + 1, (String) argument);
      }
    }
  }
}

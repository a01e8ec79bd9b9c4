package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ResourceId;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as the steps in it see it: statements, and the notifications that are sent when it
 * is committed.
 *
 * <p>Steps about one resource that share a transaction share its row too: it is read and locked
 * once, and written once at the end. Statements whose result nobody needs wait for the next one
 * that has a result, or for the end, and equal ones are sent together.
 */
final class Session {

  /** Reads one row. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Link link;
  private final List<Notification> notifications = new ArrayList<>();
  private final List<Runnable> notes = new ArrayList<>();
  private final Map<ResourceId, ResourceRow> rows = new HashMap<>();
  private @Nullable Mark mark;

  /** The statements that write the rows that have changed, by resource. */
  private final Map<String, Later> unsaved = new LinkedHashMap<>();

  private final List<Later> later = new ArrayList<>();

  /** A statement that is to be sent later. */
  private static final class Later {

    private final String sql;
    private final @Nullable Object[] arguments;

    Later(String sql, @Nullable Object... arguments) {
      this.sql = sql;
      this.arguments = arguments;
    }
  }

  Session(Link link) {
    this.link = link;
  }

  Dialect dialect() {
    return link.dialect();
  }

  /** Returns the row of a resource that a step of this transaction has locked, or null. */
  @Nullable ResourceRow locked(ResourceId resource) {
    return rows.get(resource);
  }

  /** Returns the mark as a step of this transaction has found or made it, or null. */
  @Nullable Mark mark() {
    return mark;
  }

  void mark(Mark seen) {
    mark = seen;
  }

  /** Remembers a row that has been locked. */
  void locked(ResourceId resource, ResourceRow row) {
    rows.put(resource, row);
  }

  /** Writes the row of a resource at the end, in place of what was to be written before. */
  void save(ResourceRow row, String sql, @Nullable Object... arguments) {
    unsaved.put(String.valueOf(row.id), new Later(sql, arguments));
  }

  /** Changes rows before the next statement that has a result. */
  void later(String sql, @Nullable Object... arguments) {
    later.add(new Later(sql, arguments));
  }

  /** Writes what has not been written yet. */
  void flush() throws SQLException {
    collect();
    if (canJoin()) {
      Later last = later.remove(later.size() - 1);
      Later joined = joined(last);
      later.clear();
      later.add(joined);
    }
    sendLater();
  }

  /** Writes what has not been written yet, and selects something, with one statement if it may. */
  void flushWith(String select, @Nullable Object... arguments) throws SQLException {
    collect();
    Later last = new Later(select, arguments);
    if (link.dialect().joins && haveDifferentTexts()) {
      last = joined(last);
      later.clear();
    }
    first(last.sql, row -> true, last.arguments);
  }

  private void collect() {
    later.addAll(unsaved.values());
    unsaved.clear();
  }

  private boolean canJoin() {
    return later.size() > 1 && link.dialect().joins && haveDifferentTexts();
  }

  /** Equal ones are sent as a batch instead; and they are too many for a text of their own. */
  private boolean haveDifferentTexts() {
    return later.stream().map(one -> one.sql).distinct().count() == later.size();
  }

  /**
   * Puts the statements that wait in front of another one. They do not see what the others do, so
   * no two may change the same row: each is about other rows, or reads what was read before.
   */
  private Later joined(Later last) {
    if (later.isEmpty()) {
      return last;
    }
    List<String> parts = new ArrayList<>();
    List<@Nullable Object> all = new ArrayList<>();
    for (Later one : later) {
      parts.add("w" + parts.size() + " as (" + one.sql + ")");
      all.addAll(Arrays.asList(one.arguments));
    }
    all.addAll(Arrays.asList(last.arguments));
    return new Later("with " + String.join(", ", parts) + " " + last.sql, all.toArray());
  }

  /** Sends what waits. */
  void sendLater() throws SQLException {
    int from = 0;
    for (int to = 1; to <= later.size(); to++) {
      if (to == later.size() || !later.get(to).sql.equals(later.get(from).sql)) {
        send(later.subList(from, to));
        from = to;
      }
    }
    later.clear();
  }

  /** Sends equal statements. */
  private void send(List<Later> equal) throws SQLException {
    PreparedStatement statement = link.prepare(equal.get(0).sql);
    try {
      for (Later one : equal) {
        bind(statement, one.arguments);
        if (equal.size() > 1) {
          statement.addBatch();
        }
      }
      if (equal.size() > 1) {
        statement.executeBatch();
      } else {
        statement.executeUpdate();
      }
    } finally {
      link.done(statement);
    }
  }

  /** Changes rows and returns how many. */
  int update(String sql, @Nullable Object... arguments) throws SQLException {
    sendLater();
    PreparedStatement statement = link.prepare(sql);
    try {
      bind(statement, arguments);
      return statement.executeUpdate();
    } finally {
      link.done(statement);
    }
  }

  /**
   * Changes at most one row and returns the key that {@link Dialect#asKey} has given out, or null
   * if it changes none.
   */
  @Nullable Long updateForKey(String sql, @Nullable Object... arguments) throws SQLException {
    sendLater();
    PreparedStatement statement = link.prepareWithKey(sql);
    try {
      bind(statement, arguments);
      if (statement.executeUpdate() == 0) {
        return null;
      }
      try (ResultSet keys = statement.getGeneratedKeys()) {
        return keys.next() ? keys.getLong(1) : null;
      }
    } finally {
      link.done(statement);
    }
  }

  /** Returns the first row that a statement answers, or null if it answers none. */
  <T> @Nullable T first(String sql, Reader<T> reader, @Nullable Object... arguments)
      throws SQLException {
    sendLater();
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
    sendLater();
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

  /** Sends a notification if the transaction is committed. */
  void notification(Notification notification) {
    notifications.add(notification);
  }

  /** Remembers something in this process if the transaction is committed. */
  void ifCommitted(Runnable note) {
    notes.add(note);
  }

  /** Remembers what was to be remembered. */
  void committed() {
    notes.forEach(Runnable::run);
  }

  /** Returns the notifications of this transaction. */
  List<Notification> notifications() {
    return notifications;
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

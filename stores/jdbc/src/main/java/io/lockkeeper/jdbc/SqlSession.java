package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.StoredClaim;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
final class SqlSession {

  /** Reads one row. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** How many different statements go along with another one at most. */
  private static final int MOST_ALONG = 5;

  private final SqlLink link;
  private final List<Notification> notifications = new ArrayList<>();
  private final List<Runnable> notes = new ArrayList<>();
  private final Map<ResourceId, ResourceRow> rows = new HashMap<>();
  private @Nullable Mark mark;

  /** The statements that write the rows that have changed, by resource. */
  private final Map<String, Sql> unsaved = new LinkedHashMap<>();

  private final List<Sql> later = new ArrayList<>();

  /** Selects something after all else was written; null for nothing. */
  private @Nullable Sql atEnd;

  /** The first waiting claims of a resource, as they were read with its row, by its id; or none. */
  private final Map<Long, List<StoredClaim>> heads = new HashMap<>();

  SqlSession(SqlLink link) {
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
    unsaved.put(String.valueOf(row.id), new Sql(sql, arguments));
  }

  /** Changes rows before the next statement that has a result. */
  void later(String sql, @Nullable Object... arguments) {
    heads.clear();
    later.add(new Sql(sql, arguments));
  }

  /** Selects something after all else was written; nobody needs the result. */
  void atEnd(String select, @Nullable Object... arguments) throws SQLException {
    if (atEnd != null) {
      flush();
    }
    atEnd = new Sql(select, arguments);
  }

  /** Writes what has not been written yet. */
  void flush() throws SQLException {
    collect();
    sendLater();
  }

  /**
   * Writes what has not been written yet, and commits: at once with the last statement, or with all
   * of them, where the driver sends them together.
   */
  void commit() throws SQLException {
    collect();
    List<Sql> last = link.sendsJoined() ? takeLast() : List.of();
    sendLater();
    if (last.isEmpty()) {
      link.commit();
      return;
    }
    Sql sent = Sql.together(last, new Sql("commit"));
    PreparedStatement statement = link.prepareJoined(sent.text);
    try {
      sent.bind(statement, link.dialect());
      for (boolean isRows = statement.execute(); isRows || statement.getUpdateCount() >= 0; ) {
        isRows = statement.getMoreResults(); // to the end: an error may be the last result
      }
    } finally {
      link.done(statement);
    }
    link.committed();
  }

  /** Takes out the statements that are sent with the commit. */
  private List<Sql> takeLast() {
    int from = later.isEmpty() || goAlong() ? 0 : later.size() - 1;
    if (from > 0 && later.get(from).text.equals(later.get(from - 1).text)) {
      return List.of(); // a batch
    }
    List<Sql> last = later.subList(from, later.size());
    List<Sql> taken = List.copyOf(last);
    last.clear();
    return taken;
  }

  /**
   * Returns whether what waits to be sent goes along with the next statement. That is so for a few
   * only, as there would be too many different texts to prepare.
   */
  private boolean goAlong() {
    return link.sendsJoined()
        && !later.isEmpty()
        && later.size() <= MOST_ALONG
        && haveDifferentTexts();
  }

  private void collect() {
    later.addAll(unsaved.values());
    unsaved.clear();
    if (atEnd != null) {
      later.add(atEnd);
      atEnd = null;
    }
    if (later.size() > 1 && link.dialect().joins && haveDifferentTexts()) {
      Sql joined = Sql.with(later.subList(0, later.size() - 1), later.get(later.size() - 1));
      later.clear();
      later.add(joined);
    }
  }

  /** Equal ones are sent as a batch instead; and they are too many for a text of their own. */
  private boolean haveDifferentTexts() {
    return later.stream().map(one -> one.text).distinct().count() == later.size();
  }

  /** Sends what waits. */
  void sendLater() throws SQLException {
    int from = 0;
    for (int to = 1; to <= later.size(); to++) {
      if (to == later.size() || !later.get(to).text.equals(later.get(from).text)) {
        send(later.subList(from, to));
        from = to;
      }
    }
    later.clear();
  }

  /** Sends equal statements. */
  private void send(List<Sql> equal) throws SQLException {
    PreparedStatement statement = link.prepare(equal.get(0).text);
    try {
      for (Sql one : equal) {
        one.bind(statement, link.dialect());
        if (equal.size() > 1) {
          statement.addBatch();
        }
      }
      if (equal.size() > 1) {
        statement.executeBatch();
      } else if (link.dialect().joins) {
        statement.execute(); // it may end in a select
      } else {
        statement.executeUpdate();
      }
    } finally {
      link.done(statement);
    }
  }

  /** Changes rows and returns how many. */
  int update(String sql, @Nullable Object... arguments) throws SQLException {
    heads.clear();
    sendLater();
    PreparedStatement statement = link.prepare(sql);
    try {
      new Sql(sql, arguments).bind(statement, link.dialect());
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
    heads.clear();
    sendLater();
    PreparedStatement statement = link.prepareWithKey(sql);
    try {
      new Sql(sql, arguments).bind(statement, link.dialect());
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
    List<T> all = all(sql, reader, arguments);
    return all.isEmpty() ? null : all.get(0);
  }

  /** Returns all rows that a statement answers. */
  <T> List<T> all(String sql, Reader<T> reader, @Nullable Object... arguments) throws SQLException {
    if (!goAlong()) {
      sendLater();
      return allAmongSent(sql, reader, arguments);
    }
    Sql together = Sql.together(later, new Sql(sql, arguments));
    later.clear();
    return query(together, statement -> rows(statement, reader));
  }

  /** Returns all rows that a statement answers that need not see what waits to be sent. */
  <T> List<T> allAmongSent(String sql, Reader<T> reader, @Nullable Object... arguments)
      throws SQLException {
    if (link.isBeginDue()) {
      return query(new Sql(sql, arguments), statement -> rows(statement, reader));
    }
    PreparedStatement statement = link.prepare(sql);
    try {
      new Sql(sql, arguments).bind(statement, link.dialect());
      return rows(statement.executeQuery(), reader);
    } finally {
      link.done(statement);
    }
  }

  /**
   * Returns the row of a resource, and reads the first claims that wait for it along with it where
   * that takes no round trip more.
   *
   * @param withHead whether these claims will be looked at
   * @param start where the queue begins, or null if that is not known
   */
  @Nullable ResourceRow row(
      String sql,
      boolean withHead,
      QueueStarts.@Nullable Start start,
      String namespace,
      String name,
      String kind)
      throws SQLException {
    if (!withHead || !link.sendsJoined()) {
      return first(sql, ResourceRow::readWithMark, namespace, name, kind);
    }
    sendLater();
    long after = start == null ? QueueStarts.UNKNOWN : start.arrival();
    Sql both =
        Sql.together(
            List.of(new Sql(sql, namespace, name, kind)),
            new Sql(ClaimRows.HEAD, namespace, name, kind, after));
    List<ResourceRow> found =
        query(
            both,
            statement -> {
              List<ResourceRow> row = rows(statement, ResourceRow::readWithMark);
              boolean isTrue = !row.isEmpty() && (start == null || start.isOf(row.get(0)));
              if (isTrue && statement.getMoreResults()) {
                heads.put(row.get(0).id, rows(statement, ClaimRow::read));
              }
              return row;
            });
    return found.isEmpty() ? null : found.get(0);
  }

  /** Reads what a statement has answered, from the first rows on. */
  private interface Answers<T> {
    T read(PreparedStatement statement) throws SQLException;
  }

  private <T> T query(Sql sent, Answers<T> answers) throws SQLException {
    PreparedStatement statement = link.prepareJoined(sent.text);
    try {
      sent.bind(statement, link.dialect());
      boolean isRows = statement.execute();
      while (!isRows && statement.getUpdateCount() >= 0) {
        isRows = statement.getMoreResults(); // behind those of statements that went along
      }
      return answers.read(statement);
    } finally {
      link.done(statement);
    }
  }

  private static <T> List<T> rows(PreparedStatement statement, Reader<T> reader)
      throws SQLException {
    return rows(statement.getResultSet(), reader);
  }

  /** Reads rows to the end: only there is a change complete, and an error told. */
  private static <T> List<T> rows(ResultSet rows, Reader<T> reader) throws SQLException {
    List<T> all = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        all.add(reader.read(rows));
      }
    }
    return all;
  }

  /** Returns the first waiting claims of a resource if they are known to be what stands there. */
  @Nullable List<StoredClaim> head(long resource) {
    return heads.remove(resource);
  }

  /** Sets what the first waiting claims of a resource are, until something else is changed. */
  void head(long resource, List<StoredClaim> claims) {
    heads.put(resource, claims);
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
}

package io.lockkeeper.jdbc;

import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A client's knowledge of the {@link Mark} of its namespace. Each step reads, with the row that it
 * locks, which server it is at and which generation the mark has there; only if that is news the
 * mark is read too, and changed if the server is another one than the mark says.
 *
 * <p>So the first transaction after a failover notices it: the new server may lack the latest
 * grants and releases, and its clock is another one. Until every lease of before must have ended
 * nothing is granted there; holders renew and release, and others queue. A state that is older than
 * what a client has seen (a backup, a former primary) is noticed in the same way.
 */
final class Marks {

  private static final String THERE = " where namespace = ?";

  private final String namespace;
  private final String server;
  private final boolean isSynchronous;
  private final String selectForUpdate;
  private final String insert;

  /** The largest time and token that this client has seen. */
  private final AtomicLong highestMicros = new AtomicLong();

  /** The mark that has been committed; its generation only grows. */
  private final AtomicReference<@Nullable Mark> known = new AtomicReference<>();

  /**
   * Creates it.
   *
   * @param server an expression that says which server it is
   * @param isSynchronous whether a server that takes over lacks nothing that was committed
   */
  Marks(Dialect dialect, String namespace, String server, boolean isSynchronous) {
    this.namespace = namespace;
    this.server = server;
    this.isSynchronous = isSynchronous;
    this.selectForUpdate =
        "select " + Mark.COLUMNS + " from lockkeeper_mark" + THERE + dialect.forUpdate;
    this.insert =
        dialect.insertIfAbsent(
            "into lockkeeper_mark (namespace, " + Mark.COLUMNS + ") values (?, ?, ?, ?, ?, ?)");
  }

  /** Returns what is selected along with the row {@code r} of a resource. */
  String columns() {
    return server
        + " as server, (select m.generation from lockkeeper_mark m"
        + " where m.namespace = r.namespace) as mark_generation";
  }

  /** Returns the condition that this is still the server of the mark; takes two arguments. */
  String condition() {
    return " and "
        + server
        + " = ? and exists (select 1 from lockkeeper_mark m where m.namespace = r.namespace"
        + " and m.generation = ?)";
  }

  /** Returns what the server must say of itself, for {@link #condition}. */
  String server(Mark mark) {
    return server.equals(Dialect.NO_SERVER) ? "" : mark.server();
  }

  /** Returns the mark as this transaction knows it, or null if nothing is known yet. */
  @Nullable Mark known(SqlSession session) {
    Mark changed = session.mark();
    return changed == null ? known.get() : changed;
  }

  /**
   * Returns whether it takes more than reading: another server, or a time when nothing is granted.
   */
  boolean isNews(ResourceRow row) {
    Mark mark = known.get();
    return mark == null
        || mark.generation() != row.markGeneration
        || isOther(mark, row)
        || row.nowMicros < mark.safeMicros();
  }

  /** Notes what was seen of the server's clock, and of the tokens that it made larger. */
  void saw(long micros) {
    highestMicros.accumulateAndGet(micros, Math::max);
  }

  /** Tells a row that was just locked what the mark says. */
  void applyTo(SqlSession session, ResourceRow row) throws SQLException {
    Mark mark = known(session);
    if (mark == null
        || mark.generation() != row.markGeneration
        || isOther(mark, row)
        || isTooFarAhead(mark, row)) {
      mark = meet(session, row);
    }
    row.safeMicros = mark.safeMicros();
    row.floorMicros = mark.floorMicros();
    row.isComplete = isSynchronous;
    saw(Math.max(row.nowMicros, row.lastToken));
  }

  private Mark meet(SqlSession session, ResourceRow row) throws SQLException {
    Mark before = known(session);
    Mark found = session.first(selectForUpdate, Mark::read, namespace);
    if (found == null) {
      session.update(insert, namespace, 0, row.server, 0, 0, 0);
      found = Objects.requireNonNull(session.first(selectForUpdate, Mark::read, namespace));
    }
    Mark mark = judged(before, found, row);
    if (!mark.equals(found)) {
      session.update(
          "update lockkeeper_mark set generation = ?, server = ?, safe_micros = ?,"
              + " longest_micros = ?, floor_micros = ?"
              + THERE,
          mark.generation(),
          mark.server(),
          mark.safeMicros(),
          mark.longestMicros(),
          mark.floorMicros(),
          namespace);
    }
    remember(session, mark);
    return mark;
  }

  /** Returns what the mark has to say from now on. */
  private Mark judged(@Nullable Mark before, Mark found, ResourceRow row) {
    long lastGeneration = before == null ? 0 : before.generation();
    long longest = Math.max(found.longestMicros(), before == null ? 0 : before.longestMicros());
    long floor = Math.max(found.floorMicros(), highestMicros.get());
    long next = Math.max(found.generation(), lastGeneration) + 1;
    boolean isOther =
        isOther(found, row)
            || (before != null && isOther(before, row) && found.generation() <= lastGeneration);
    // One that was just made is of a new namespace, or of one that somebody emptied.
    boolean isOlder = found.generation() > 0 && found.generation() < lastGeneration;
    String name = row.server.isEmpty() ? found.server() : row.server;
    if (isOther || isOlder) {
      return new Mark(next, name, row.nowMicros + longest, longest, floor);
    } else if (isTooFarAhead(found, row)) {
      return new Mark(next, name, row.nowMicros + longest, longest, found.floorMicros());
    } else if (found.generation() == 0
        || !name.equals(found.server())
        || (floor > found.floorMicros() && floor > row.nowMicros)) {
      // The first to come need not know the latest tokens; the next one may.
      return new Mark(next, name, found.safeMicros(), longest, floor);
    }
    return found;
  }

  /** Returns whether this is another server than the mark says, as far as both are known. */
  private static boolean isOther(Mark mark, ResourceRow row) {
    return !row.server.isEmpty() && !mark.server().isEmpty() && !mark.server().equals(row.server);
  }

  /** Returns whether a clock that was set back would keep everybody out for longer than a lease. */
  private static boolean isTooFarAhead(Mark mark, ResourceRow row) {
    return mark.safeMicros() - row.nowMicros > mark.longestMicros();
  }

  /** Sees to it that the mark knows of a lease before it is granted. */
  void allow(SqlSession session, long micros) {
    Mark mark = known(session);
    if (mark != null && mark.longestMicros() < micros) {
      session.later(
          "update lockkeeper_mark set longest_micros = ?" + THERE + " and longest_micros < ?",
          micros,
          namespace,
          micros);
      remember(session, mark.withLongest(micros));
    }
  }

  private void remember(SqlSession session, Mark mark) {
    session.mark(mark);
    session.ifCommitted(() -> known.accumulateAndGet(mark, Marks::later));
  }

  private static Mark later(@Nullable Mark one, @Nullable Mark other) {
    Mark mark = Objects.requireNonNull(other);
    if (one == null || one.generation() < mark.generation()) {
      return mark;
    }
    return one.generation() > mark.generation() ? one : one.withLongest(mark.longestMicros());
  }
}

package io.lockkeeper.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the tables by their numbers, a page at a time, and deletes what nobody uses any
 * more: rows of resources and cells, claims of the dead, and what was remembered of clients.
 *
 * <p>A row may go when nobody has used it for a while and nothing in it says that it must stay (a
 * limit that was set, a value). Its token may not be forgotten: the largest token of a row that was
 * deleted is kept in {@code lockkeeper_state}, and new rows begin above it. So tokens grow even if
 * the server's clock was set back.
 *
 * <p>A page is a short transaction. It reads first, and then locks only rows that it will change,
 * and of those only such as nobody else has locked: it waits for nobody.
 */
final class Sweep {

  /** How many rows are named in one statement. */
  private static final int CHUNK = 50;

  private static final String MARKS = String.join(", ", Collections.nCopies(CHUNK, "?"));

  /** A client says a word only every few hours, so its row may look older than it is. */
  private static final long DAY_MICROS = 86_400_000_000L;

  private static final String RECOUNT =
      "update lockkeeper_resource set"
          + " waiting = (select count(*) from lockkeeper_claim c where c.resource_id = ?"
          + " and c.granted = 0),"
          + " grants = (select count(*) from lockkeeper_claim c where c.resource_id = ?"
          + " and c.granted = 1),"
          + " permits_out = (select coalesce(sum(c.permits), 0) from lockkeeper_claim c"
          + " where c.resource_id = ? and c.granted = 1),"
          + " overtakers = (select coalesce(sum(c.overtakes), 0) from lockkeeper_claim c"
          + " where c.resource_id = ? and c.granted = 0) where id = ?";

  /** The kinds of rows that are deleted, and their names for people. */
  enum What {
    RESOURCES("names"),
    CLAIMS("claims"),
    CELLS("values"),
    MEMORIES("memories of clients"),
    NOTIFICATIONS("notifications"),
    CLIENTS("clients");

    final String title;

    What(String title) {
      this.title = title;
    }
  }

  /**
   * The result of a page.
   *
   * @param last the number of the last row that was looked at; 0 at the end of the table
   * @param looked how many rows were looked at
   * @param deleted how many rows were deleted, of each kind
   */
  record Page(long last, int looked, Map<What, Long> deleted) {

    long total() {
      return deleted.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** One of the two tables whose rows own rows of another one. */
  private static final class Owner {

    private final What what;
    private final What partWhat;
    private final String read;
    private final String lock;
    private final String count;
    private final String countSome;
    private final String deleteParts;
    private final String delete;
    private final String raise;

    /**
     * Describes it.
     *
     * @param columns what is read of a row: what says when it was used, and whether it must stay
     * @param floor the column of {@code lockkeeper_state} that remembers for all that were deleted
     * @param part the table of the rows that it owns, and the column that names the owner
     * @param alive the condition of those that are still of use, with {@code ?} for the time
     */
    Owner(
        What what,
        What partWhat,
        String table,
        String columns,
        String floor,
        String[] part,
        String alive,
        Dialect dialect) {
      this.what = what;
      this.partWhat = partWhat;
      String select = "select id, namespace, " + columns + " from " + table;
      this.read = select + " where id > ? order by id limit ";
      this.lock = select + " where id in (" + MARKS + ") order by id" + dialect.forUpdateIfFree();
      String count =
          "select "
              + part[1]
              + ", sum(case when "
              + alive
              + " then 1 else 0 end), count(*) from "
              + part[0]
              + " where ";
      String group = " group by " + part[1];
      this.count = count + part[1] + " > ? and " + part[1] + " <= ?" + group;
      this.countSome = count + part[1] + " in (" + MARKS + ")" + group;
      this.deleteParts =
          "delete from "
              + part[0]
              + " where not ("
              + alive
              + ") and "
              + part[1]
              + " in ("
              + MARKS
              + ")";
      this.delete = "delete from " + table + " where id in (" + MARKS + ")";
      this.raise =
          "update lockkeeper_state set "
              + floor
              + " = "
              + dialect.larger
              + "("
              + floor
              + ", ?)"
              + " where id = 1";
    }
  }

  /** A row: whether it may go, as far as it says so itself, and its token or version. */
  private record Row(long id, String namespace, boolean isIdle, long number) {}

  /** How many rows a row owns that are still of use, and how many in all. */
  private record Parts(long alive, long all) {
    static final Parts NONE = new Parts(0, 0);
  }

  private final Owner resources;
  private final Owner cells;
  private final String now;
  private final long ageMicros;
  private final @Nullable String namespace;
  private final boolean isTrial;

  /**
   * Creates it.
   *
   * @param ageMicros how long nobody must have used what is deleted
   * @param namespace where; null for everywhere
   * @param isTrial whether it only counts
   */
  Sweep(Dialect dialect, long ageMicros, @Nullable String namespace, boolean isTrial) {
    this.ageMicros = ageMicros;
    this.namespace = namespace;
    this.isTrial = isTrial;
    this.now =
        "select "
            + dialect.now
            + " as now_micros,"
            + " (select coalesce(max(safe_micros), 0) from lockkeeper_mark) as safe_micros";
    this.resources =
        new Owner(
            What.RESOURCES,
            What.CLAIMS,
            "lockkeeper_resource",
            "last_token, last_arrival, end_micros, resized, holder, grants",
            "token_floor",
            new String[] {"lockkeeper_claim", "resource_id"},
            "end_micros >= ?",
            dialect);
    this.cells =
        new Owner(
            What.CELLS,
            What.MEMORIES,
            "lockkeeper_cell",
            "version, end_micros, case when value is null then 1 else 0 end as is_over",
            "version_floor",
            new String[] {"lockkeeper_cell_client", "cell_id"},
            "(known_end_micros >= ? or watch_end_micros >= ?)",
            dialect);
  }

  /**
   * Returns before which time something was used last that may go. Nothing may, while times of
   * another server's clock are waited for: they say nothing about how old a row is.
   */
  private long cutoff(SqlSession session) throws SQLException {
    return Objects.requireNonNull(
        session.first(
            now,
            row -> {
              long nowMicros = row.getLong("now_micros");
              return row.getLong("safe_micros") > nowMicros ? 0 : nowMicros - ageMicros;
            }));
  }

  /** Sweeps a page of resources, from behind a number on. */
  Page resources(SqlSession session, long after, int size) throws SQLException {
    return page(session, resources, after, size);
  }

  /** Sweeps a page of cells, from behind a number on. */
  Page cells(SqlSession session, long after, int size) throws SQLException {
    return page(session, cells, after, size);
  }

  /** Sweeps what belongs to no row: notifications and clients that are old. */
  Map<What, Long> rest(SqlSession session, boolean hasNotifications) throws SQLException {
    long cutoff = cutoff(session);
    Map<What, Long> deleted = new LinkedHashMap<>();
    if (hasNotifications) {
      deleted.put(What.NOTIFICATIONS, old(session, "lockkeeper_hint", "sent_micros", cutoff));
    }
    long ageOfClients = Math.max(ageMicros, DAY_MICROS);
    deleted.put(
        What.CLIENTS,
        old(session, "lockkeeper_client", "seen_micros", cutoff + ageMicros - ageOfClients));
    return deleted;
  }

  private long old(SqlSession session, String table, String column, long cutoff)
      throws SQLException {
    String rest = " from " + table + " where " + column + " < ?";
    if (!isTrial) {
      return session.update("delete" + rest, cutoff);
    }
    return Objects.requireNonNull(
        session.first("select count(*)" + rest, row -> row.getLong(1), cutoff));
  }

  private Page page(SqlSession session, Owner owner, long after, int size) throws SQLException {
    long cutoff = cutoff(session);
    List<Row> rows = session.all(owner.read + size, row -> read(owner, row, cutoff), after);
    if (rows.isEmpty()) {
      return new Page(0, 0, Map.of());
    }
    long last = rows.get(rows.size() - 1).id();
    Map<Long, Parts> parts = new HashMap<>();
    session.all(
        owner.count, row -> note(row, parts), arguments(owner, cutoff, List.of(after, last)));
    Map<What, Long> deleted = new LinkedHashMap<>();
    long floor = 0;
    List<Row> chosen =
        rows.stream()
            .filter(row -> namespace == null || namespace.equals(row.namespace()))
            .filter(row -> mayGo(row, parts) || hasOld(row, parts))
            .toList();
    for (int from = 0; from < chosen.size(); from += CHUNK) {
      List<Row> chunk = chosen.subList(from, Math.min(chosen.size(), from + CHUNK));
      floor = Math.max(floor, sweep(session, owner, chunk, cutoff, parts, deleted));
    }
    if (floor > 0 && !isTrial) {
      session.update(owner.raise, floor);
    }
    return new Page(rows.size() < size ? 0 : last, rows.size(), deleted);
  }

  private static boolean mayGo(Row row, Map<Long, Parts> parts) {
    return row.isIdle() && parts.getOrDefault(row.id(), Parts.NONE).alive() == 0;
  }

  private static boolean hasOld(Row row, Map<Long, Parts> parts) {
    Parts owned = parts.getOrDefault(row.id(), Parts.NONE);
    return owned.all() > owned.alive();
  }

  /** Deletes some rows, and what they own; returns the largest number of those deleted. */
  private long sweep(
      SqlSession session,
      Owner owner,
      List<Row> chunk,
      long cutoff,
      Map<Long, Parts> seen,
      Map<What, Long> deleted)
      throws SQLException {
    List<Row> rows = chunk;
    Map<Long, Parts> parts = seen;
    if (!isTrial) {
      // Now locked, so that what they own does not change either.
      rows = session.all(owner.lock, row -> read(owner, row, cutoff), ids(chunk).toArray());
      parts = new HashMap<>();
      if (!rows.isEmpty()) {
        Map<Long, Parts> fresh = parts;
        session.all(owner.countSome, row -> note(row, fresh), arguments(owner, cutoff, ids(rows)));
      }
    }
    List<Row> going = new ArrayList<>();
    List<Row> trimmed = new ArrayList<>();
    long old = 0;
    for (Row row : rows) {
      if (mayGo(row, parts)) {
        going.add(row);
      }
      if (hasOld(row, parts)) {
        trimmed.add(row);
        Parts owned = parts.getOrDefault(row.id(), Parts.NONE);
        old += owned.all() - owned.alive();
      }
    }
    deleted.merge(owner.what, (long) going.size(), Long::sum);
    deleted.merge(owner.partWhat, old, Long::sum);
    if (!isTrial) {
      if (!trimmed.isEmpty()) {
        session.update(owner.deleteParts, arguments(owner, cutoff, ids(trimmed)));
      }
      if (!going.isEmpty()) {
        session.update(owner.delete, ids(going).toArray());
      }
      trimmed.removeAll(going);
      recount(session, owner, trimmed);
    }
    return going.stream().mapToLong(Row::number).max().orElse(0);
  }

  /** A resource says how many wait and how many hold. */
  private void recount(SqlSession session, Owner owner, List<Row> rows) throws SQLException {
    if (owner == resources) {
      for (Row row : rows) {
        long id = row.id();
        session.update(RECOUNT, id, id, id, id, id);
      }
    }
  }

  private Row read(Owner owner, ResultSet row, long cutoff) throws SQLException {
    long id = row.getLong(1);
    String where = new String(row.getBytes(2), StandardCharsets.UTF_8);
    long number = row.getLong(3);
    if (owner == resources) {
      boolean isIdle =
          number < cutoff
              && row.getLong("last_arrival") < cutoff
              && row.getInt("resized") == 0
              && (row.getLong("end_micros") < cutoff || isFree(row));
      return new Row(id, where, isIdle, number);
    }
    long end = row.getLong("end_micros");
    boolean isOver = row.getInt("is_over") != 0 || (end > 0 && end < cutoff);
    return new Row(id, where, number < cutoff && isOver, number);
  }

  /** The end of a grant stays in the row after it was given back. */
  private static boolean isFree(ResultSet row) throws SQLException {
    return row.getInt("grants") == 0 && row.getString("holder") == null;
  }

  private static boolean note(ResultSet row, Map<Long, Parts> parts) throws SQLException {
    parts.put(row.getLong(1), new Parts(row.getLong(2), row.getLong(3)));
    return true;
  }

  /** Returns the numbers of rows, as many as there are marks: the last one again and again. */
  private static List<Long> ids(List<Row> rows) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < CHUNK; i++) {
      ids.add(rows.get(Math.min(i, rows.size() - 1)).id());
    }
    return ids;
  }

  /** Returns the time, as often as the condition of what is of use has it, and what follows. */
  private Object[] arguments(Owner owner, long cutoff, List<Long> others) {
    List<Object> all = new ArrayList<>(Collections.nCopies(owner == resources ? 1 : 2, cutoff));
    all.addAll(others);
    return all.toArray();
  }
}

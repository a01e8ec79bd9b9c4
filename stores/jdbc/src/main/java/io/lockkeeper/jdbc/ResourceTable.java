package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The statements on {@code lockkeeper_resource} that steps of every kind need. */
final class ResourceTable {

  private static final String LOCK = "lock";

  private static final String THERE = " where r.namespace = ? and r.name = ? and r.kind = ?";

  private final String namespace;
  private final Marks marks;
  private final String selectForUpdate;
  private final String selectMade;
  private final String insert;
  private final Runnable made;
  private final QueueStarts starts;

  /**
   * Creates them.
   *
   * @param made takes each row that was made, or was to be made
   */
  ResourceTable(Dialect dialect, Client client, Marks marks, Runnable made) {
    this.namespace = client.namespace();
    this.starts = new QueueStarts(client.time(), client.heartbeatMicros() * 1_000);
    this.marks = marks;
    this.made = made;
    String select =
        "select "
            + ResourceRow.COLUMNS
            + ", "
            + dialect.now
            + " as now_micros, "
            + marks.columns()
            + " from lockkeeper_resource r"
            + THERE;
    this.selectForUpdate = select + dialect.forUpdate;
    String floor = "(select coalesce(max(token_floor), 0) from lockkeeper_state)";
    this.selectMade =
        select.replace(" as now_micros", " as now_micros, " + floor + " as token_floor")
            + dialect.forUpdate;
    this.insert =
        dialect.insertIfAbsent(
            "into lockkeeper_resource (namespace, name, kind, last_token) values (?, ?, ?, "
                + floor
                + ")");
  }

  /** Returns the name in the table. */
  static String name(ResourceId resource) {
    return StoredId.of(resource).name();
  }

  /** Returns the word for the kind in the table. */
  static String word(ResourceId resource) {
    String word = StoredId.of(resource).word();
    return word.isEmpty() ? LOCK : word;
  }

  /** Returns the id of a resource by the name and the word for its kind. */
  static ResourceId id(String name, String word) {
    return new StoredId(word.equals(LOCK) ? "" : word, name).id();
  }

  /**
   * Returns the row of a resource, locked; makes it if it is not there.
   *
   * @param withHead whether the claims that wait for it will be looked at
   */
  ResourceRow lock(SqlSession session, ResourceId resource, boolean withHead) throws SQLException {
    ResourceRow known = session.locked(resource);
    if (known != null) {
      return known;
    }
    QueueStarts.Start start = starts.of(resource);
    ResourceRow row = read(session, resource, withHead, start);
    if (row.waiting == 0) {
      row.queueStart = row.lastArrival();
    } else if (start != null && start.isOf(row)) {
      row.queueStart = start.arrival();
    }
    session.ifCommitted(() -> starts.saw(resource, row));
    marks.applyTo(session, row);
    session.locked(resource, row);
    return row;
  }

  /** Notes a token that was given. */
  void saw(long token) {
    marks.saw(token);
  }

  /** Sees to it that a lease may be granted that is this long. */
  void allow(SqlSession session, long leaseMicros) {
    marks.allow(session, leaseMicros);
  }

  private ResourceRow read(
      SqlSession session, ResourceId resource, boolean withHead, QueueStarts.@Nullable Start start)
      throws SQLException {
    String name = name(resource);
    String kind = word(resource);
    ResourceRow row = session.row(selectForUpdate, withHead, start, namespace, name, kind);
    return row == null ? make(session, name, kind) : row;
  }

  /**
   * Makes a row, with a last token that no row of this name has had a larger one than. A row of
   * this name may have been deleted after the insert had looked for that token.
   */
  private ResourceRow make(SqlSession session, String name, String kind) throws SQLException {
    session.update(insert, namespace, name, kind);
    session.ifCommitted(made);
    long[] floor = new long[1];
    ResourceRow row =
        session.first(
            selectMade,
            found -> {
              floor[0] = found.getLong("token_floor");
              return ResourceRow.readWithMark(found);
            },
            namespace,
            name,
            kind);
    if (row == null) {
      throw new SQLException("the row of a resource is gone that was just made", Cleaner.AGAIN);
    }
    if (row.lastToken < floor[0]) {
      row.lastToken = floor[0];
      session.update(
          "update lockkeeper_resource set last_token = ? where id = ?", row.lastToken, row.id);
    }
    return row;
  }

  /** Marks the columns that locks use as to be written. */
  void saveLock(SqlSession session, ResourceRow row) {
    session.save(
        row,
        "update lockkeeper_resource set holder = ?, label = ?, since_micros = ?, end_micros = ?,"
            + " grant_number = ?, claims = ?, first_token = ?, last_token = ?,"
            + " tokens_to_spare = ?, confirmed = ?, waiting = ?, last_arrival = ?,"
            + " given_micros = ? where id = ?",
        row.holder,
        session.dialect().shown(row.label),
        row.sinceMicros,
        row.end().micros(),
        row.grant,
        row.claimsText(),
        row.firstToken,
        row.lastToken,
        row.hasTokensToSpare,
        row.confirmed,
        row.waiting,
        row.lastArrival(),
        row.end().givenMicros(),
        row.id);
  }

  /** Marks the columns that shared resources use as to be written. */
  void savePool(SqlSession session, ResourceRow row) {
    session.save(
        row,
        "update lockkeeper_resource set end_micros = ?, last_token = ?, waiting = ?,"
            + " last_arrival = ?, permit_limit = ?, resized = ?, permits_out = ?, grants = ?,"
            + " overtakers = ?, given_micros = ? where id = ?",
        row.end().micros(),
        row.lastToken,
        row.waiting,
        row.lastArrival(),
        row.limit,
        row.resized,
        row.out,
        row.grants,
        row.overtakers,
        row.end().givenMicros(),
        row.id);
  }
}

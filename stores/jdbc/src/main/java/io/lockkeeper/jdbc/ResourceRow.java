package io.lockkeeper.jdbc;

import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.PermitRecord;
import io.lockkeeper.spi.rule.StoreTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A row of {@code lockkeeper_resource}, and what time it was at the database when it was read. */
final class ResourceRow {

  /** The columns that {@link #read} reads, but for the time. */
  static final String COLUMNS =
      "r.id, r.holder, r.label, r.since_micros, r.end_micros, r.grant_number, r.claims,"
          + " r.first_token, r.last_token, r.tokens_to_spare, r.confirmed, r.waiting,"
          + " r.last_arrival, r.permit_limit, r.resized, r.permits_out, r.grants, r.overtakers,"
          + " r.given_micros";

  final long nowMicros;
  final long id;
  @Nullable String holder;
  String label;
  long sinceMicros;
  private LeaseEnd end;
  long grant;
  List<Long> claims;
  long firstToken;
  long lastToken;
  boolean hasTokensToSpare;
  boolean confirmed;
  int waiting;
  private long lastArrival;
  int limit;
  boolean resized;
  long out;
  int grants;
  int overtakers;

  /** Up to which arrival no claim waits any more, as far as this transaction knows. */
  long queueStart = QueueStarts.UNKNOWN;

  /** Whether changes of claims wait to be sent that more than the start of the queue tells of. */
  boolean hasUnsent;

  /** The arrival of the first claim that has been added to the queue and waits to be sent. */
  long addedFrom = Long.MAX_VALUE;

  // What is read with a row that matters, and what follows from the mark.
  String server = "";
  long markGeneration;
  long safeMicros;
  long floorMicros;
  boolean isComplete;

  private ResourceRow(ResultSet row) throws SQLException {
    nowMicros = row.getLong("now_micros");
    id = row.getLong("id");
    holder = row.getString("holder");
    label = text(row.getString("label"));
    sinceMicros = row.getLong("since_micros");
    end = new LeaseEnd(row.getLong("end_micros"), row.getLong("given_micros"));
    grant = row.getLong("grant_number");
    claims = numbers(row.getString("claims"));
    firstToken = row.getLong("first_token");
    lastToken = row.getLong("last_token");
    hasTokensToSpare = row.getInt("tokens_to_spare") != 0;
    confirmed = row.getInt("confirmed") != 0;
    waiting = row.getInt("waiting");
    lastArrival = row.getLong("last_arrival");
    limit = row.getInt("permit_limit");
    resized = row.getInt("resized") != 0;
    out = row.getLong("permits_out");
    grants = row.getInt("grants");
    overtakers = row.getInt("overtakers");
  }

  /** Reads a row that also has {@code now_micros}. */
  static ResourceRow read(ResultSet row) throws SQLException {
    return new ResourceRow(row);
  }

  /** Reads a row that also has what {@link Marks#columns} selects. */
  static ResourceRow readWithMark(ResultSet row) throws SQLException {
    ResourceRow locked = read(row);
    locked.server = text(row.getString("server"));
    locked.markGeneration = row.getLong("mark_generation");
    return locked;
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static List<Long> numbers(@Nullable String text) {
    return text == null || text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",")).map(Long::valueOf).toList();
  }

  String claimsText() {
    return claims.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns the next place in the order of arrival. */
  long nextArrival() {
    lastArrival = Math.max(lastArrival + 1, nowMicros);
    return lastArrival;
  }

  long lastArrival() {
    return lastArrival;
  }

  /** Returns what time it is, and what that is worth as far as the mark is known. */
  StoreTime time() {
    return new StoreTime(nowMicros, safeMicros, isComplete, floorMicros);
  }

  /** Returns when the grant of a lock is over, or the first of those of a shared resource. */
  LeaseEnd end() {
    return end;
  }

  void end(LeaseEnd changed) {
    end = changed;
  }

  // ------------------------------------------------------------- a lock

  LockRecord lock() {
    LockGrant grant =
        holder == null
            ? null
            : new LockGrant(
                holder,
                label,
                this.grant,
                claims,
                firstToken,
                // The block: nothing is given while the lock is held, so the largest is its last.
                lastToken,
                hasTokensToSpare,
                sinceMicros,
                end,
                confirmed);
    return new LockRecord(grant, lastToken);
  }

  void lock(LockRecord record) {
    LockGrant given = record.holder();
    lastToken = record.lastToken();
    holder = given == null ? null : given.client();
    label = given == null ? "" : given.label();
    claims = given == null ? List.of() : given.claims();
    hasTokensToSpare = given != null && given.hasTokensToSpare();
    if (given != null) {
      grant = given.grant();
      firstToken = given.firstToken();
      sinceMicros = given.sinceMicros();
      end = given.end();
      confirmed = given.confirmed();
    }
  }

  // ------------------------------------------------------------- what is shared

  PermitRecord permits() {
    return new PermitRecord(limit, resized, lastToken);
  }

  void permits(PermitRecord record) {
    limit = record.limit();
    resized = record.resized();
    lastToken = record.lastToken();
  }

  /** Returns whether a grant may be over. */
  boolean mayHaveGrantsOver() {
    return grants > 0 && (time().isOver(end.micros()) || end.isTooFarAhead(nowMicros));
  }
}

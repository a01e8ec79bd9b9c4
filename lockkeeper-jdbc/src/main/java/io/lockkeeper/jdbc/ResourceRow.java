package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
          + " r.given_micros, r.given_end_micros";

  final long nowMicros;
  final long id;
  @Nullable String holder;
  String label;
  long sinceMicros;
  long endMicros;
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

  /** The lease that was given when the end was last moved by a client that writes it down. */
  long givenMicros;

  /** The end as that client wrote it. */
  long givenEndMicros;

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
    endMicros = row.getLong("end_micros");
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
    givenMicros = row.getLong("given_micros");
    givenEndMicros = row.getLong("given_end_micros");
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

  static List<Long> numbers(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return new ArrayList<>();
    }
    return Arrays.stream(text.split(","))
        .map(Long::valueOf)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  String claimsText() {
    return claims.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  long afterMillis(long millis) {
    return nowMicros + Client.micros(millis);
  }

  /** Returns the next place in the order of arrival. */
  long nextArrival() {
    lastArrival = Math.max(lastArrival + 1, nowMicros);
    return lastArrival;
  }

  long lastArrival() {
    return lastArrival;
  }

  /** Returns the next token, as far as the latest one, the clock and the mark say. */
  long nextToken() {
    return Math.max(Math.max(lastToken + 1, nowMicros), floorMicros + 1);
  }

  // ------------------------------------------------------------- another server, another clock

  /** Returns whether leases from another server's clock may not have ended. */
  boolean isUnsafe() {
    return nowMicros < safeMicros;
  }

  /** Returns whether nobody may be let in: there may be a grant that is not known here. */
  boolean isClosed() {
    return isUnsafe() && !isComplete;
  }

  /** Returns in how many microseconds somebody may be let in, though nobody releases. */
  long untilNextMicros(boolean isHeld, long elseMicros) {
    long end = isHeld ? endMicros : isClosed() ? 0 : nowMicros + elseMicros;
    return (isUnsafe() ? Math.max(end, safeMicros) : end) - nowMicros;
  }

  /** Returns whether the end is further ahead than it was ever put: then by a clock. */
  boolean isTooFarAhead() {
    return givenMicros > 0 && givenEndMicros == endMicros && endMicros - nowMicros > givenMicros;
  }

  /** Moves an end that is too far ahead to where it could be at most; returns whether it was. */
  boolean pullBack() {
    boolean wasTooFar = isTooFarAhead();
    if (wasTooFar) {
      endAfter(givenMicros);
    }
    return wasTooFar;
  }

  void endAfter(long micros) {
    endMicros = nowMicros + micros;
    givenMicros = micros;
    givenEndMicros = endMicros;
  }

  // ------------------------------------------------------------- the grant of a lock

  boolean isHeld() {
    return holder != null;
  }

  boolean isOver() {
    return nowMicros >= endMicros && !isUnsafe();
  }

  boolean isHeldBy(String client) {
    return client.equals(holder);
  }

  void free() {
    holder = null;
    label = "";
    claims = new ArrayList<>();
    hasTokensToSpare = false;
  }

  /** Moves the end to where the client wishes, never to an earlier time. */
  void confirm(long leaseMillis) {
    if (afterMillis(leaseMillis) > endMicros) {
      endAfter(Client.micros(leaseMillis));
    }
    confirmed = true;
  }

  Grant toGrant(boolean othersWait) {
    return new Grant(
        grant,
        claims,
        firstToken,
        // The block: nothing is given while the lock is held, so the largest token is its last.
        lastToken,
        nowMicros,
        Math.max(0, endMicros - nowMicros),
        othersWait,
        confirmed);
  }

  Inspection.@Nullable Holder inspectHolder() {
    String client = holder;
    return client == null || isOver()
        ? null
        : new Inspection.Holder(
            client, grant, firstToken, 1, endMicros - nowMicros, nowMicros - sinceMicros, label);
  }

  // ------------------------------------------------------------- what is shared

  /** Returns whether a grant may be over. */
  boolean mayHaveGrantsOver() {
    return grants > 0 && (isOver() || isTooFarAhead());
  }

  /** Returns whether nobody holds it or waits for it, so that the next claim says the limit. */
  boolean isIdle() {
    return !resized && grants == 0 && waiting == 0;
  }
}

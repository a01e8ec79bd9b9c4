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
          + " r.last_arrival, r.permit_limit, r.resized, r.permits_out, r.grants, r.overtakers";

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
  }

  /** Reads a row that also has {@code now_micros}. */
  static ResourceRow read(ResultSet row) throws SQLException {
    return new ResourceRow(row);
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

  // ------------------------------------------------------------- the grant of a lock

  boolean isHeld() {
    return holder != null;
  }

  boolean isOver() {
    return nowMicros >= endMicros;
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
  void confirm(long end) {
    endMicros = Math.max(endMicros, end);
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
        endMicros - nowMicros,
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
    return grants > 0 && isOver();
  }

  /** Returns whether nobody holds it or waits for it, so that the next claim says the limit. */
  boolean isIdle() {
    return !resized && grants == 0 && waiting == 0;
  }
}

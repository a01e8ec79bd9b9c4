package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Single statements for a lock for which nobody waits: each is a whole transaction. Where somebody
 * waits, or the statement does not find what it needs, it changes nothing.
 *
 * <p>The time in a statement may be from before it had to wait for the row. That only makes a lease
 * that it sets end earlier, and one that is just over count as not over yet.
 */
final class LockStatements {

  private static final String THERE =
      " r.namespace = ? and r.name = ? and r.kind = 'lock' and r.waiting = 0";

  private final Client client;
  private final Marks marks;
  private final @Nullable String claim;
  private final @Nullable String claimAtNow;
  private final String release;
  private final String rest;
  private final String renew;

  LockStatements(Dialect dialect, Client client, Marks marks) {
    this.client = client;
    this.marks = marks;
    this.claim = dialect.returning ? claimReturning(dialect) : null;
    String key = dialect.asKey(dialect.now);
    this.claimAtNow = key == null ? null : claimAtNow(dialect.now, key);
    this.release =
        "update lockkeeper_resource as r set holder = null, label = null, claims = null,"
            + " tokens_to_spare = 0, last_token = "
            + dialect.smaller
            + "(last_token, "
            + dialect.larger
            + "(?, first_token - 1)) where"
            + THERE
            + " and r.holder = ? and r.grant_number = ? and r.first_token - 1 <= ?"
            + " and r.end_micros > "
            + dialect.now;
    // Where a time is not the same throughout a statement, it is read once.
    String once = dialect.returning ? "t.now_micros" : dialect.now;
    String from = dialect.returning ? " from (select " + dialect.now + " as now_micros) as t" : "";
    this.rest =
        "update lockkeeper_resource as r set holder = ?, claims = ?, tokens_to_spare = 0,"
            + " confirmed = 1, end_micros = "
            + once
            + " + ?, given_micros = ?"
            + from
            + " where"
            + THERE
            + " and r.holder = ? and r.grant_number = ? and r.first_token - 1 <= ?"
            + " and r.end_micros > "
            + once
            + marks.condition();
    this.renew =
        "update lockkeeper_resource as r set label = coalesce(?, r.label), confirmed = 1,"
            + " end_micros = "
            + once
            + " + ?, given_micros = ?"
            + (dialect.returning ? " from (select " + dialect.now + " as now_micros) as t" : "")
            + " where"
            + THERE
            + " and r.holder = ? and r.grant_number = ? and r.end_micros > "
            + once
            + " and r.end_micros <= "
            + once
            + " + ?"
            + marks.condition();
  }

  private String claimReturning(Dialect dialect) {
    String next = dialect.larger + "(r.last_token + 1, t.now_micros, ?)";
    return "update lockkeeper_resource as r set holder = ?, label = ?, claims = ?,"
        + " grant_number = ?, first_token = "
        + next
        + ", last_token = "
        + next
        + " + ?, tokens_to_spare = ?, since_micros = t.now_micros,"
        + " end_micros = t.now_micros + ?, given_micros = ?, confirmed = 1 from (select "
        + dialect.now
        + " as now_micros) as t where"
        + THERE
        + " and (r.holder is null or r.end_micros <= t.now_micros)"
        + " and t.now_micros >= ?"
        + marks.condition()
        + " returning first_token, since_micros";
  }

  /**
   * Returns a claim whose first token is the time: one number that comes back says both. Where
   * tokens are ahead of the clock it changes nothing.
   */
  private String claimAtNow(String now, String key) {
    return "update lockkeeper_resource as r set holder = ?, label = ?, claims = ?,"
        + " grant_number = ?, first_token = "
        + key
        + ", last_token = "
        + now
        + " + ?, tokens_to_spare = ?, since_micros = "
        + now
        + ", end_micros = "
        + now
        + " + ?, given_micros = ?, confirmed = 1 where"
        + THERE
        + " and (r.holder is null or r.end_micros <= "
        + now
        + ") and r.last_token < "
        + now
        + " and "
        + now
        + " >= ?"
        + marks.condition();
  }

  /** Grants a lock that nobody holds; returns null if it is not so. */
  @Nullable Grant claim(SqlSession session, ClaimRequest request) throws SQLException {
    Mark mark = marks.known(session);
    long leaseMicros = Client.micros(request.leaseMillis());
    if (mark == null || leaseMicros > mark.longestMicros()) {
      return null;
    }
    return claim == null
        ? claimAtNow(session, request, mark, leaseMicros)
        : claimReturning(session, request, mark, leaseMicros, claim);
  }

  private @Nullable Grant claimAtNow(
      SqlSession session, ClaimRequest request, Mark mark, long leaseMicros) throws SQLException {
    if (claimAtNow == null) {
      return null;
    }
    Long now =
        session.updateForKey(
            claimAtNow,
            client.id(),
            session.dialect().shown(request.label()),
            String.valueOf(request.claim()),
            request.claim(),
            (long) request.tokens() - 1,
            request.tokens() > 1,
            leaseMicros,
            leaseMicros,
            client.namespace(),
            ResourceTable.name(request.resource()),
            Math.max(mark.safeMicros(), mark.floorMicros() + 1),
            marks.server(mark),
            mark.generation());
    return now == null ? null : granted(request, now, now, leaseMicros);
  }

  private Grant granted(ClaimRequest request, long first, long sinceMicros, long leaseMicros) {
    long last = first + request.tokens() - 1;
    marks.saw(last);
    return new Grant(
        request.claim(),
        List.of(request.claim()),
        first,
        last,
        sinceMicros,
        leaseMicros,
        false,
        true);
  }

  private @Nullable Grant claimReturning(
      SqlSession session, ClaimRequest request, Mark mark, long leaseMicros, String sql)
      throws SQLException {
    return session.first(
        sql,
        row -> granted(request, row.getLong(1), row.getLong(2), leaseMicros),
        client.id(),
        session.dialect().shown(request.label()),
        String.valueOf(request.claim()),
        request.claim(),
        mark.floorMicros() + 1,
        mark.floorMicros() + 1,
        (long) request.tokens() - 1,
        request.tokens() > 1,
        leaseMicros,
        leaseMicros,
        client.namespace(),
        ResourceTable.name(request.resource()),
        mark.safeMicros(),
        marks.server(mark),
        mark.generation());
  }

  /** Ends a grant; returns false if it took more than that. */
  boolean release(SqlSession session, ReleaseRequest request) throws SQLException {
    if (request.restMillis() > 0) {
      return rest(session, request);
    }
    return session.update(
            release,
            request.usedToken(),
            client.namespace(),
            ResourceTable.name(request.resource()),
            client.id(),
            request.grant(),
            request.usedToken() == ReleaseRequest.UNKNOWN ? Long.MAX_VALUE : request.usedToken())
        > 0;
  }

  private boolean rest(SqlSession session, ReleaseRequest request) throws SQLException {
    Mark mark = marks.known(session);
    long restMicros = Client.micros(request.restMillis());
    return mark != null
        && session.update(
                rest,
                Inspection.Holder.resting(client.id()),
                String.valueOf(request.grant()),
                restMicros,
                restMicros,
                client.namespace(),
                ResourceTable.name(request.resource()),
                client.id(),
                request.grant(),
                request.usedToken() == ReleaseRequest.UNKNOWN
                    ? Long.MAX_VALUE
                    : request.usedToken(),
                marks.server(mark),
                mark.generation())
            > 0;
  }

  /** Gives a grant more time; returns false if it took more than that. */
  boolean renew(SqlSession session, RenewRequest request) throws SQLException {
    Mark mark = marks.known(session);
    long leaseMicros = Client.micros(request.leaseMillis());
    String label = request.label();
    return mark != null
        && leaseMicros <= mark.longestMicros()
        && session.update(
                renew,
                label == null ? null : session.dialect().shown(label),
                leaseMicros,
                leaseMicros,
                client.namespace(),
                ResourceTable.name(request.resource()),
                client.id(),
                request.grant(),
                leaseMicros,
                marks.server(mark),
                mark.generation())
            > 0;
  }
}

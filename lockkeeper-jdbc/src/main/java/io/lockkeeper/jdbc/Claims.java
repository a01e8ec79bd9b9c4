package io.lockkeeper.jdbc;

import io.lockkeeper.jdbc.ClaimRow.State;
import io.lockkeeper.spi.ClaimRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The statements on {@code lockkeeper_claim}: the queue of a resource, whose row the caller has
 * locked, and the grants of what is shared.
 */
final class Claims {

  /** How many waiting claims are read at once: a run, and the one behind it. */
  private static final int PAGE = 40;

  private static final String SELECT =
      "select " + ClaimRow.COLUMNS + " from lockkeeper_claim c where c.resource_id = ?";

  /** What becomes of a waiting claim that is passed. */
  enum Verdict {
    /** It leaves the queue. */
    TAKE,
    /** It stays. */
    PASS,
    /** It stays, and of those behind only such as overtake are of interest. */
    PASS_TO_OVERTAKERS,
    /** It stays, and so does everything behind it. */
    STOP
  }

  /** Looks at one waiting claim after the other. */
  @FunctionalInterface
  interface Visitor {
    Verdict visit(ClaimRow claim) throws SQLException;
  }

  /**
   * Claims that are granted together.
   *
   * @param claims the claims, in order
   * @param othersWait whether claims of other clients are known to wait behind them; false if it is
   *     not known
   */
  record Run(List<ClaimRow> claims, boolean othersWait) {}

  /** How many resources are remembered on which this client was heard of. */
  private static final int MOST_HEARD = 10_000;

  private final Client client;

  /** When this client was last heard of, by resource. */
  private final Map<Long, Long> heardNanos = new ConcurrentHashMap<>();

  /** The largest number of a claim that was asked for. */
  private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);

  Claims(Client client) {
    this.client = client;
  }

  /**
   * Returns whether a claim has not been asked for before, so that it need not be looked for. To be
   * called once each time that it is asked for. Claims mostly come in the order of their numbers;
   * one that does not counts as known, and is looked for in vain.
   */
  boolean isNew(ClaimRequest request) {
    return newest.getAndAccumulate(request.claim(), Math::max) < request.claim();
  }

  // ------------------------------------------------------------- the queue

  /** Puts a claim of this client at the end of the queue. */
  void add(Session session, ResourceRow row, ClaimRequest request) {
    long end = row.nowMicros + client.heartbeatMicros();
    insert(session, row, request, State.WAITING, row.nextArrival(), end, 0, 0);
    row.waiting++;
    row.overtakers += request.share().overtakes() ? 1 : 0;
  }

  private void insert(
      Session session,
      ResourceRow row,
      ClaimRequest request,
      State state,
      long arrival,
      long endMicros,
      long givenMicros,
      long token) {
    session.later(
        "insert into lockkeeper_claim (resource_id, client, claim, label, granted, since_micros,"
            + " arrival, end_micros, permits, tokens, token, lease_millis, deadline_millis,"
            + " overtakes, confirmed, given_micros, given_end_micros)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.id,
        client.id(),
        request.claim(),
        request.label(),
        state.number,
        row.nowMicros,
        arrival,
        endMicros,
        request.share().permits(),
        request.tokens(),
        token,
        request.leaseMillis(),
        client.timings().claimDeadlineMillis(),
        request.share().overtakes(),
        givenMicros > 0,
        givenMicros,
        givenMicros > 0 ? endMicros : 0);
  }

  /** Takes a claim out of the queue that was read in this transaction. */
  void remove(Session session, ResourceRow row, ClaimRow claim) {
    delete(session, row, claim);
    left(row, claim);
  }

  /** Counts what is not waiting or granted any more. */
  private static void left(ResourceRow row, ClaimRow claim) {
    if (claim.waits()) {
      row.waiting--;
      row.overtakers -= claim.overtakes() ? 1 : 0;
    } else if (claim.granted()) {
      row.grants--;
      row.out -= claim.permits();
    }
  }

  /**
   * Puts off the death of this client's waiting claims, where it is not far off already. What this
   * client wrote down a moment ago by its own clock it does not write again: a client with many
   * claims would look through all of them each time.
   */
  void heard(Session session, ResourceRow row) throws SQLException {
    if (row.waiting == 0) {
      return;
    }
    long nowNanos = System.nanoTime();
    long againNanos = (client.heartbeatMicros() - client.freshMicros()) * 1_000;
    Long last = heardNanos.get(row.id);
    if (last == null || nowNanos - last >= againNanos) {
      session.ifCommitted(() -> remember(row.id, nowNanos));
      session.update(
          "update lockkeeper_claim set end_micros = ?"
              + " where resource_id = ? and client = ? and granted = 0"
              + " and (end_micros < ? or end_micros > ?)",
          row.nowMicros + client.heartbeatMicros(),
          row.id,
          client.id(),
          row.nowMicros + client.freshMicros(),
          row.nowMicros + client.heartbeatMicros());
    }
  }

  private void remember(long resource, long nowNanos) {
    if (heardNanos.size() >= MOST_HEARD) {
      heardNanos.clear();
    }
    heardNanos.put(resource, nowNanos);
  }

  /** Returns whether live claims of other clients than this one wait. */
  boolean hasOthers(Session session, ResourceRow row, String than) throws SQLException {
    return row.waiting > 0
        && session.first(
                "select 1 from lockkeeper_claim where resource_id = ? and granted = 0"
                    + " and client <> ? and end_micros > ? limit 1",
                one -> true,
                row.id,
                than,
                row.nowMicros)
            != null;
  }

  /** Returns whether a live claim waits that does not want more than there is. */
  boolean hasModest(Session session, ResourceRow row) throws SQLException {
    return row.waiting > 0
        && session.first(
                "select 1 from lockkeeper_claim where resource_id = ? and granted = 0"
                    + " and permits <= ? and end_micros > ? limit 1",
                one -> true,
                row.id,
                row.limit,
                row.nowMicros)
            != null;
  }

  int countLive(Session session, ResourceRow row) throws SQLException {
    if (row.waiting == 0) {
      return 0;
    }
    long[] live =
        session.first(
            "select count(*), max(end_micros) from lockkeeper_claim"
                + " where resource_id = ? and granted = 0 and end_micros > ?",
            found -> new long[] {found.getLong(1), found.getLong(2)},
            row.id,
            row.nowMicros);
    if (live == null) {
      return 0;
    }
    pullBack(session, row, live[1], -1);
    return Math.toIntExact(live[0]);
  }

  /**
   * Has waiting claims die in a heartbeat's time that were to die later: what a clock has moved
   * there is a sign of life of nobody.
   *
   * @param latestEndMicros the latest end that was seen
   * @param after the arrival after which claims still wait
   */
  private void pullBack(Session session, ResourceRow row, long latestEndMicros, long after) {
    long latest = row.nowMicros + client.heartbeatMicros();
    if (latestEndMicros > latest) {
      session.later(
          "update lockkeeper_claim set end_micros = ?"
              + " where resource_id = ? and granted = 0 and end_micros > ? and arrival > ?",
          latest,
          row.id,
          latest,
          after);
    }
  }

  /** Returns the first live claim, or null. */
  @Nullable ClaimRow firstLive(Session session, ResourceRow row) throws SQLException {
    return session.first(
        SELECT + " and c.granted = 0 and c.end_micros > ? order by c.arrival limit 1",
        ClaimRow::read,
        row.id,
        row.nowMicros);
  }

  /**
   * Has the visitor look at the waiting claims in order, and returns those that it takes, which
   * stay in the table. The dead that come by are taken out.
   */
  List<ClaimRow> walk(Session session, ResourceRow row, Visitor visitor) throws SQLException {
    List<ClaimRow> taken = new ArrayList<>();
    boolean overtakersOnly = false;
    long after = -1;
    while (row.waiting > 0) {
      List<ClaimRow> page = page(session, row, after, overtakersOnly);
      for (ClaimRow claim : page) {
        after = claim.arrival();
        pullBack(session, row, claim.endMicros(), after - 1);
        if (!claim.isLive(row.nowMicros)) {
          remove(session, row, claim);
          continue;
        }
        Verdict verdict =
            overtakersOnly && !claim.overtakes() ? Verdict.PASS : visitor.visit(claim);
        if (verdict == Verdict.STOP) {
          return taken;
        } else if (verdict == Verdict.TAKE) {
          taken.add(claim);
        } else if (verdict == Verdict.PASS_TO_OVERTAKERS) {
          if (row.overtakers == 0) {
            return taken;
          }
          overtakersOnly = true;
        }
      }
      if (page.size() < PAGE) {
        return taken;
      }
    }
    return taken;
  }

  private static List<ClaimRow> page(
      Session session, ResourceRow row, long after, boolean overtakersOnly) throws SQLException {
    return session.all(
        SELECT
            + " and c.granted = 0 and c.arrival > ?"
            + (overtakersOnly ? " and c.overtakes = 1" : "")
            + " order by c.arrival limit "
            + PAGE,
        ClaimRow::read,
        row.id,
        after);
  }

  /**
   * Takes the first live claim and those that are granted with it out of the queue, and the dead
   * before and between them.
   *
   * @return the run, empty if nobody who is alive waits
   */
  Run takeRun(Session session, ResourceRow row, int max) throws SQLException {
    List<ClaimRow> run = new ArrayList<>();
    boolean othersWait = false;
    long upTo = -1;
    int left = 0;
    long latestEnd = 0;
    boolean ended = false;
    boolean more = row.waiting > 0;
    while (more) {
      List<ClaimRow> page = page(session, row, upTo, false);
      more = page.size() == PAGE;
      for (ClaimRow claim : page) {
        boolean isLive = claim.isLive(row.nowMicros);
        latestEnd = Math.max(latestEnd, claim.endMicros());
        ended |= run.size() == max || (!run.isEmpty() && !run.get(0).belongsWith(claim));
        if (ended) {
          othersWait |= isLive && !claim.client().equals(run.get(0).client());
          continue;
        }
        if (isLive) {
          run.add(claim);
        }
        upTo = claim.arrival();
        left++;
      }
      more &= !ended;
    }
    if (upTo >= 0) {
      row.waiting -= left;
      session.later(
          "delete from lockkeeper_claim where resource_id = ? and granted = 0 and arrival <= ?",
          row.id,
          upTo);
    }
    pullBack(session, row, latestEnd, upTo);
    return new Run(run, othersWait);
  }

  // ------------------------------------------------------------- claims by number

  /** Returns a claim or grant, or null. */
  @Nullable ClaimRow find(Session session, ResourceRow row, String owner, long claim)
      throws SQLException {
    return session.first(
        SELECT + " and c.client = ? and c.claim = ?", ClaimRow::read, row.id, owner, claim);
  }

  private static void delete(Session session, ResourceRow row, ClaimRow claim) {
    session.later(
        "delete from lockkeeper_claim where resource_id = ? and client = ? and claim = ?",
        row.id,
        claim.client(),
        claim.claim());
  }

  // ------------------------------------------------------------- the grants of what is shared

  /** Adds the grant of a claim that did not wait. */
  void addGrant(Session session, ResourceRow row, ClaimRequest request, long token) {
    long micros = Client.micros(request.leaseMillis());
    long end = row.nowMicros + micros;
    insert(session, row, request, State.GRANTED, row.nextArrival(), end, micros, token);
    granted(row, request.share().permits(), micros);
  }

  /** Makes a waiting claim a grant. */
  void grant(
      Session session,
      ResourceRow row,
      ClaimRow claim,
      long micros,
      long token,
      boolean confirmed) {
    session.later(
        "update lockkeeper_claim set granted = 1, since_micros = ?, end_micros = ?, token = ?,"
            + " confirmed = ?, given_micros = ?, given_end_micros = ?"
            + " where resource_id = ? and client = ? and claim = ?",
        row.nowMicros,
        row.nowMicros + micros,
        token,
        confirmed,
        micros,
        row.nowMicros + micros,
        row.id,
        claim.client(),
        claim.claim());
    row.waiting--;
    row.overtakers -= claim.overtakes() ? 1 : 0;
    granted(row, claim.permits(), micros);
  }

  private static void granted(ResourceRow row, int permits, long micros) {
    if (row.grants == 0 || row.nowMicros + micros < row.endMicros) {
      row.endAfter(micros);
    }
    row.grants++;
    row.out += permits;
  }

  /** Ends a grant that was read in this transaction. */
  void end(Session session, ResourceRow row, ClaimRow grant) {
    delete(session, row, grant);
    left(row, grant);
  }

  /** Has the end of a grant written, with as many permits. */
  void change(Session session, ResourceRow row, ClaimRow grant, int permits) {
    session.later(
        "update lockkeeper_claim set end_micros = ?, given_micros = ?, given_end_micros = ?,"
            + " permits = ?, confirmed = 1 where resource_id = ? and client = ? and claim = ?",
        grant.endMicros(),
        grant.givenMicros(),
        grant.givenEndMicros(),
        permits,
        row.id,
        grant.client(),
        grant.claim());
    row.out -= grant.permits() - permits;
  }

  /** Drops the grants that are over. */
  void dropThoseOver(Session session, ResourceRow row) throws SQLException {
    if (!row.mayHaveGrantsOver()) {
      return;
    }
    ClaimRow first = null;
    for (ClaimRow found : grants(session, row)) {
      ClaimRow grant = found.pulledBack(row.nowMicros);
      if (!grant.isLive(row.nowMicros) && !row.isUnsafe()) {
        end(session, row, grant);
        continue;
      }
      if (!grant.equals(found)) {
        session.later(
            "update lockkeeper_claim set end_micros = ?, given_end_micros = ?"
                + " where resource_id = ? and client = ? and claim = ?",
            grant.endMicros(),
            grant.givenEndMicros(),
            row.id,
            grant.client(),
            grant.claim());
      }
      first = first == null || grant.endMicros() < first.endMicros() ? grant : first;
    }
    if (first != null) {
      row.endMicros = first.endMicros();
      row.givenMicros = first.givenMicros();
      row.givenEndMicros = first.givenEndMicros();
    }
  }

  /**
   * Remembers a request of this client, of which copies that come later are to change nothing: a
   * claim or grant that is taken back, or a change of the limit.
   *
   * @param known what is there of it, or null
   */
  void remember(
      Session session, ResourceRow row, long claim, @Nullable ClaimRow known, long millis) {
    long end = row.afterMillis(millis);
    if (known == null) {
      ClaimRequest request = new ClaimRequest("", claim, 0, 0, false); // only its number counts now
      insert(session, row, request, State.WITHDRAWN, 0, end, 0, 0);
    } else {
      session.later(
          "update lockkeeper_claim set granted = 2, end_micros = ?"
              + " where resource_id = ? and client = ? and claim = ?",
          end,
          row.id,
          client.id(),
          claim);
      left(row, known);
    }
    session.later(
        "delete from lockkeeper_claim"
            + " where resource_id = ? and granted = 2 and end_micros <= ? and claim <> ?",
        row.id,
        row.nowMicros,
        claim);
  }

  /** Returns the grants of one client on what is shared. */
  List<ClaimRow> grants(Session session, ResourceRow row, String owner) throws SQLException {
    return session.all(
        SELECT + " and c.client = ? and c.granted = 1", ClaimRow::read, row.id, owner);
  }

  /** Returns all grants of what is shared. */
  List<ClaimRow> grants(Session session, ResourceRow row) throws SQLException {
    return session.all(SELECT + " and c.granted = 1", ClaimRow::read, row.id);
  }
}

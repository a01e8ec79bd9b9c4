package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.ClaimBatch;
import io.lockkeeper.spi.rule.Door;
import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.LockQueue;
import io.lockkeeper.spi.rule.PermitTable;
import io.lockkeeper.spi.rule.StoredClaim;
import io.lockkeeper.spi.rule.StoredClaim.State;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one resource in a step, which has locked its row: the statements on {@code
 * lockkeeper_claim}, and the row's counts of what stands there.
 *
 * <p>This file is long because every question and every change of the rule is a statement here, and
 * both need what the step has changed before.
 */
final class ClaimRows implements LockQueue<SQLException>, PermitTable<SQLException> {

  /** How many waiting claims are read at once: a batch, and the one behind it. */
  private static final int PAGE = 40;

  private static final String WAITS = " c.granted = 0 and c.arrival > ?";

  private static final String IN_ORDER = " order by c.arrival limit ";

  /** Selects the first page of a resource's waiting claims by namespace, name and kind. */
  static final String HEAD =
      "select "
          + ClaimRow.COLUMNS
          + " from lockkeeper_claim c where c.resource_id = (select r.id from lockkeeper_resource r"
          + " where r.namespace = ? and r.name = ? and r.kind = ?) and"
          + WAITS
          + IN_ORDER
          + PAGE;

  private static final String SELECT =
      "select " + ClaimRow.COLUMNS + " from lockkeeper_claim c where c.resource_id = ?";

  /** The condition on claims that wait; takes the resource and the start of the queue. */
  private static final String WAITING = " where resource_id = ? and granted = 0 and arrival > ?";

  private final Client client;
  private final KnownClaims own;
  private final ResourceTable resources;
  private final SqlSession session;
  private final ResourceRow row;
  private final @Nullable Long fresh;

  /** The only client that waits, as far as is known; null if there may be others. */
  private @Nullable String aloneIs;

  /** The claims of this client whose rows are to be deleted. */
  private final Set<Long> removed = new HashSet<>();

  /**
   * Creates them.
   *
   * @param fresh a claim of this client that is known not to be there; null for none
   */
  ClaimRows(
      Client client,
      KnownClaims own,
      ResourceTable resources,
      SqlSession session,
      ResourceRow row,
      @Nullable Long fresh) {
    this.client = client;
    this.own = own;
    this.resources = resources;
    this.session = session;
    this.row = row;
    this.fresh = fresh;
  }

  @Override
  public boolean notifiesOthers() {
    return client.notifications();
  }

  @Override
  public long heartbeatMillis() {
    return client.timings().heartbeatMillis();
  }

  // ------------------------------------------------------------- the queue

  @Override
  public long add(ClaimRequest request) throws SQLException {
    List<StoredClaim> head = session.head(row.id);
    long arrival = row.nextArrival();
    long end = row.nowMicros + client.heartbeatMicros();
    insert(request, State.WAITING, arrival, end, 0, 0);
    row.addedFrom = Math.min(row.addedFrom, arrival);
    if (head != null) {
      long deadline = client.timings().claimDeadlineMillis();
      if (head.size() < PAGE) {
        head.add(StoredClaim.waiting(client.id(), request, row.nowMicros, arrival, end, deadline));
      }
      session.head(row.id, head);
    }
    aloneIs = null;
    row.waiting++;
    row.overtakers += request.share().overtakes() ? 1 : 0;
    return arrival;
  }

  /** Changes the claims before the next statement that must see it. */
  private void later(String sql, @Nullable Object... arguments) {
    row.hasUnsent = true;
    session.later(sql, arguments);
  }

  private void sendLater() throws SQLException {
    session.sendLater();
    allSent();
  }

  private void allSent() {
    row.hasUnsent = false;
    row.addedFrom = Long.MAX_VALUE;
  }

  private void insert(
      ClaimRequest request, State state, long arrival, long endMicros, long givenMicros, long token)
      throws SQLException {
    if (removed.remove(request.claim())) {
      sendLater(); // one statement cannot delete and insert the same key
    }
    later(
        "insert into lockkeeper_claim (resource_id, client, claim, label, granted, since_micros,"
            + " arrival, end_micros, permits, tokens, token, lease_millis, deadline_millis,"
            + " overtakes, confirmed, given_micros)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.id,
        client.id(),
        request.claim(),
        session.dialect().shown(request.label()),
        ClaimRow.number(state),
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
        givenMicros);
  }

  /** Takes out a claim or grant that was read in this transaction. */
  @Override
  public void remove(StoredClaim claim) {
    later(
        "delete from lockkeeper_claim where resource_id = ? and client = ? and claim = ?",
        row.id,
        claim.client(),
        claim.claim());
    if (claim.client().equals(client.id())) {
      removed.add(claim.claim());
    }
    left(claim);
  }

  /** Counts what is not waiting or granted any more. */
  private void left(StoredClaim claim) {
    if (claim.isWaiting()) {
      row.waiting--;
      row.overtakers -= claim.overtakes() ? 1 : 0;
    } else if (claim.isGranted()) {
      row.grants--;
      row.out -= claim.permits();
    }
  }

  /**
   * Puts off the death of this client's waiting claims, where it is not far off already. What this
   * client wrote down a moment ago by its own clock it does not write again: a client with many
   * claims would look through all of them each time.
   */
  @Override
  public void heard() throws SQLException {
    if (row.waiting == 0) {
      return;
    }
    long nowNanos = client.time().nanos();
    long againNanos = (client.heartbeatMicros() - client.freshMicros()) * 1_000;
    if (own.isUnheard(row.id, nowNanos, againNanos)) {
      session.ifCommitted(() -> own.heard(row.id, nowNanos));
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

  @Override
  public boolean hasOthers(String than) throws SQLException {
    if (row.waiting == 0 || than.equals(aloneIs)) {
      return false;
    }
    if (row.hasUnsent) {
      sendLater();
    }
    return !session
        .allAmongSent(
            "select 1 from lockkeeper_claim"
                + WAITING
                + " and client <> ? and end_micros > ? limit 1",
            one -> true,
            row.id,
            row.queueStart,
            than,
            row.nowMicros)
        .isEmpty();
  }

  @Override
  public boolean hasWaiting(int mostPermits) throws SQLException {
    return row.waiting > 0
        && session.first(
                "select 1 from lockkeeper_claim"
                    + WAITING
                    + " and permits <= ? and end_micros > ? limit 1",
                one -> true,
                row.id,
                row.queueStart,
                mostPermits,
                row.nowMicros)
            != null;
  }

  @Override
  public int countLive() throws SQLException {
    if (row.waiting == 0) {
      return 0;
    }
    long[] live =
        session.first(
            "select count(*), max(end_micros) from lockkeeper_claim"
                + WAITING
                + " and end_micros > ?",
            found -> new long[] {found.getLong(1), found.getLong(2)},
            row.id,
            row.queueStart,
            row.nowMicros);
    if (live == null) {
      return 0;
    }
    pullBack(live[1], -1);
    return Math.toIntExact(live[0]);
  }

  /**
   * Shortens the time of waiting claims to a heartbeat's where it is longer: what a clock has moved
   * there is a sign of life of nobody.
   *
   * @param latestEndMicros the latest end that was seen
   * @param after the arrival after which claims still wait
   */
  private void pullBack(long latestEndMicros, long after) throws SQLException {
    long latest = row.nowMicros + client.heartbeatMicros();
    if (latestEndMicros > latest) {
      later(
          "update lockkeeper_claim set end_micros = ?" + WAITING + " and end_micros > ?",
          latest,
          row.id,
          Math.max(after, row.queueStart),
          latest);
      sendLater(); // one statement cannot change a claim here and grant it too
    }
  }

  @Override
  public @Nullable StoredClaim first() throws SQLException {
    return row.waiting == 0
        ? null
        : session.first(
            SELECT + " and" + WAITS + " and c.end_micros > ?" + IN_ORDER + 1,
            ClaimRow::read,
            row.id,
            row.queueStart,
            row.nowMicros);
  }

  @Override
  public List<StoredClaim> walk(Door door) throws SQLException {
    List<StoredClaim> taken = new ArrayList<>();
    boolean overtakersOnly = false;
    long after = -1;
    while (row.waiting > 0) {
      if (row.addedFrom < Long.MAX_VALUE) {
        sendLater(); // one statement cannot insert a claim and change it
      }
      List<StoredClaim> page = page(after, overtakersOnly);
      for (StoredClaim claim : page) {
        after = claim.arrival();
        pullBack(claim.end().micros(), after - 1);
        if (!claim.isLive(row.nowMicros)) {
          remove(claim);
          continue;
        }
        Door.Verdict verdict = door.visit(claim.permits(), claim.overtakes());
        if (verdict == Door.Verdict.TAKE) {
          taken.add(claim);
        }
        overtakersOnly |= verdict == Door.Verdict.PASS_TO_OVERTAKERS;
        if (verdict == Door.Verdict.STOP || (overtakersOnly && row.overtakers == 0)) {
          return taken;
        }
      }
      if (page.size() < PAGE) {
        return taken;
      }
    }
    return taken;
  }

  private List<StoredClaim> page(long after, boolean overtakersOnly) throws SQLException {
    boolean isFirst = after <= row.queueStart && !overtakersOnly;
    List<StoredClaim> page = isFirst ? session.head(row.id) : null;
    if (page == null) {
      page =
          session.all(
              SELECT
                  + " and"
                  + WAITS
                  + (overtakersOnly ? " and c.overtakes = 1" : "")
                  + IN_ORDER
                  + PAGE,
              ClaimRow::read,
              row.id,
              Math.max(after, row.queueStart));
      allSent();
    }
    if (isFirst) {
      row.queueStart = page.isEmpty() ? row.lastArrival() : page.get(0).arrival() - 1;
    }
    return page;
  }

  @Override
  public Batch takeBatch() throws SQLException {
    ClaimBatch<StoredClaim> batch = ClaimBatch.ofStored();
    boolean othersWait = false;
    long upTo = -1;
    int left = 0;
    long latestEnd = 0;
    boolean more = row.waiting > 0;
    boolean isRead = !more;
    while (more) {
      List<StoredClaim> page = page(upTo, false);
      isRead = page.size() < PAGE;
      for (StoredClaim claim : page) {
        boolean isLive = claim.isLive(row.nowMicros);
        latestEnd = Math.max(latestEnd, claim.end().micros());
        if (batch.take(claim, isLive)) {
          upTo = claim.arrival();
          left++;
        } else {
          othersWait |= isLive && !claim.client().equals(batch.claims().get(0).client());
        }
      }
      more = !isRead && !batch.isEnded();
    }
    if (upTo >= row.addedFrom) {
      sendLater(); // one statement cannot insert a claim and delete it
    }
    if (upTo >= 0) {
      row.waiting -= left;
      session.later(
          "delete from lockkeeper_claim" + WAITING + " and arrival <= ?",
          row.id,
          row.queueStart,
          upTo);
      row.queueStart = upTo;
    }
    pullBack(latestEnd, upTo);
    if (isRead && !othersWait && !batch.claims().isEmpty()) {
      aloneIs = batch.claims().get(0).client();
    }
    return new Batch(batch.claims(), othersWait ? Others.WAIT : Others.UNKNOWN);
  }

  // ------------------------------------------------------------- claims by number

  @Override
  public @Nullable StoredClaim find(long claim) throws SQLException {
    return row.waiting == 0 ? null : find(client.id(), claim);
  }

  @Override
  public @Nullable StoredClaim find(String owner, long claim) throws SQLException {
    if (fresh != null && fresh == claim && owner.equals(client.id())) {
      return null;
    }
    StoredClaim found =
        session.first(
            SELECT + " and c.client = ? and c.claim = ?", ClaimRow::read, row.id, owner, claim);
    if (found != null && found.state() == State.DONE && !found.isLive(row.nowMicros)) {
      remove(found);
      return null;
    }
    return found;
  }

  // ------------------------------------------------------------- the grants of what is shared

  @Override
  public boolean isEmpty() {
    return row.grants == 0 && row.waiting == 0;
  }

  @Override
  public long out() {
    return row.out;
  }

  @Override
  public @Nullable Long firstEndMicros() {
    return row.grants > 0 ? row.end().micros() : null;
  }

  @Override
  public List<StoredClaim> grants(String owner) throws SQLException {
    return session.all(
        SELECT + " and c.client = ? and c.granted = 1", ClaimRow::read, row.id, owner);
  }

  @Override
  public List<StoredClaim> allGrants() throws SQLException {
    return session.all(SELECT + " and c.granted = 1", ClaimRow::read, row.id);
  }

  @Override
  public StoredClaim addGrant(ClaimRequest request, long token) throws SQLException {
    long micros = Client.micros(request.leaseMillis());
    long arrival = row.nextArrival();
    LeaseEnd end = LeaseEnd.after(row.nowMicros, micros);
    resources.allow(session, micros);
    resources.saw(token);
    insert(request, State.GRANTED, arrival, end.micros(), micros, token);
    granted(request.share().permits(), end);
    long deadline = client.timings().claimDeadlineMillis();
    return StoredClaim.waiting(client.id(), request, row.nowMicros, arrival, 0, deadline)
        .granted(row.nowMicros, end, token, true);
  }

  @Override
  public StoredClaim grant(StoredClaim waiting, long leaseMillis, long token, boolean confirmed) {
    long micros = Client.micros(leaseMillis);
    resources.allow(session, micros);
    resources.saw(token);
    LeaseEnd end = LeaseEnd.after(row.nowMicros, micros);
    later(
        "update lockkeeper_claim set granted = 1, since_micros = ?, end_micros = ?, token = ?,"
            + " confirmed = ?, given_micros = ?"
            + " where resource_id = ? and client = ? and claim = ?",
        row.nowMicros,
        end.micros(),
        token,
        confirmed,
        micros,
        row.id,
        waiting.client(),
        waiting.claim());
    left(waiting);
    granted(waiting.permits(), end);
    return waiting.granted(row.nowMicros, end, token, confirmed);
  }

  private void granted(int permits, LeaseEnd end) {
    if (row.grants == 0 || end.micros() < row.end().micros()) {
      row.end(end);
    }
    row.grants++;
    row.out += permits;
  }

  @Override
  public StoredClaim renew(StoredClaim grant, long leaseMillis, int most) {
    long micros = Client.micros(leaseMillis);
    resources.allow(session, micros);
    StoredClaim renewed = grant.renewed(grant.end().extended(row.nowMicros, micros), most);
    later(
        "update lockkeeper_claim set end_micros = ?, given_micros = ?, permits = ?, confirmed = 1"
            + " where resource_id = ? and client = ? and claim = ?",
        renewed.end().micros(),
        renewed.end().givenMicros(),
        renewed.permits(),
        row.id,
        grant.client(),
        grant.claim());
    row.out -= grant.permits() - renewed.permits();
    return renewed;
  }

  @Override
  public void dropThoseOver() throws SQLException {
    if (!row.mayHaveGrantsOver()) {
      return;
    }
    LeaseEnd first = null;
    for (StoredClaim grant : allGrants()) {
      LeaseEnd end = grant.end().pulledBack(row.nowMicros);
      if (row.time().isOver(end.micros())) {
        remove(grant);
        continue;
      }
      if (!end.equals(grant.end())) {
        later(
            "update lockkeeper_claim set end_micros = ?"
                + " where resource_id = ? and client = ? and claim = ?",
            end.micros(),
            row.id,
            grant.client(),
            grant.claim());
      }
      first = first == null || end.micros() < first.micros() ? end : first;
    }
    if (first != null) {
      row.end(first);
    }
  }

  @Override
  public void remember(long number, @Nullable StoredClaim known, long millis) throws SQLException {
    long end = row.nowMicros + Client.micros(millis);
    if (known == null) {
      ClaimRequest request =
          new ClaimRequest(ResourceId.lock(""), number, 0, 0, false); // only its number counts
      insert(request, State.DONE, 0, end, 0, 0);
    } else {
      later(
          "update lockkeeper_claim set granted = 2, end_micros = ?"
              + " where resource_id = ? and client = ? and claim = ?",
          end,
          row.id,
          client.id(),
          number);
      left(known);
    }
    later(
        "delete from lockkeeper_claim"
            + " where resource_id = ? and granted = 2 and end_micros <= ? and claim <> ?",
        row.id,
        row.nowMicros,
        number);
  }
}

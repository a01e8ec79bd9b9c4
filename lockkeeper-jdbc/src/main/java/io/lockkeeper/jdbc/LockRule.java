package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for locks: one holder, and runs.
 *
 * <p>A claim, also one that comes with a release, and a look first hear their client (its waiting
 * claims stay alive). Each step notices a grant that is over, then does its own work. In between
 * steps there is never a live claim in the queue of a lock without a holder, but for the passing of
 * time, and while nobody may be let in ({@link Marks}). As long as nobody waits, {@link
 * LockStatements} do a claim, a release or a renewal with one statement.
 */
final class LockRule implements Rule {

  /** How many contended locks are remembered. */
  private static final int MOST_CONTENDED = 10_000;

  private final Client client;
  private final Resources resources;
  private final Claims queue;
  private final LockStatements statements;

  /** The locks for which somebody waited when this client last saw them. */
  private final Set<String> contended = ConcurrentHashMap.newKeySet();

  LockRule(Client client, Resources resources, LockStatements statements) {
    this.client = client;
    this.resources = resources;
    this.queue = new Claims(client);
    this.statements = statements;
  }

  /** A step that locks the row, changes it and writes it. */
  private final class LockStep<T> implements Step<T> {

    private final String resource;
    private final Work<T> work;
    private final @Nullable Alone<T> alone;

    LockStep(String resource, Work<T> work, @Nullable Alone<T> alone) {
      this.resource = resource;
      this.work = work;
      this.alone = alone;
    }

    @Override
    public T run(Session session) throws SQLException {
      ResourceRow row = resources.lock(session, resource);
      Turn turn = new Turn(session, row, resource);
      T answer = work.run(turn);
      turn.finish();
      boolean isContended = row.waiting > 0;
      session.ifCommitted(() -> remember(resource, isContended));
      return answer;
    }

    @Override
    public @Nullable T alone(Session session) throws SQLException {
      boolean isLocked = session.locked(resource) != null;
      return alone == null || isLocked || contended.contains(resource) ? null : alone.run(session);
    }
  }

  /** Notes whether it is worth trying a statement alone the next time. */
  private void remember(String resource, boolean isContended) {
    if (!isContended) {
      contended.remove(resource);
    } else {
      if (contended.size() >= MOST_CONTENDED) {
        contended.clear();
      }
      contended.add(resource);
    }
  }

  @FunctionalInterface
  private interface Work<T> {
    T run(Turn turn) throws SQLException;
  }

  @FunctionalInterface
  private interface Alone<T> {
    @Nullable T run(Session session) throws SQLException;
  }

  @Override
  public Step<ClaimAnswer> claim(ClaimRequest request) {
    boolean isNew = queue.isNew(request);
    return new LockStep<>(
        request.resource(),
        turn -> {
          turn.begin();
          return turn.claim(request, isNew);
        },
        session -> {
          Grant grant = statements.claim(session, request);
          return grant == null ? null : new ClaimAnswer.Granted(grant);
        });
  }

  /** Puts the requeued claim into the queue before the next is let in. */
  @Override
  public Step<ReleaseAnswer> release(ReleaseRequest request) {
    ClaimRequest requeue = request.requeue();
    boolean isNew = requeue != null && queue.isNew(requeue);
    return new LockStep<>(
        request.resource(),
        turn -> turn.release(request, isNew),
        session ->
            request.requeue() == null && statements.release(session, request)
                ? new ReleaseAnswer(true, null, null)
                : null);
  }

  @Override
  public Step<Boolean> withdraw(String resource, long claim) {
    return new LockStep<>(resource, turn -> turn.withdraw(claim), null);
  }

  @Override
  public Step<RenewAnswer> renew(RenewRequest request) {
    return new LockStep<>(
        request.resource(),
        turn -> turn.renew(request),
        session -> statements.renew(session, request) ? new RenewAnswer(true, false) : null);
  }

  @Override
  public Step<LookAnswer> look(String resource, long claim) {
    return new LockStep<>(
        resource,
        turn -> {
          turn.begin();
          return turn.look(claim);
        },
        null);
  }

  @Override
  public Step<Forced> forceRelease(ForceRequest request) {
    return new LockStep<>(request.resource(), turn -> turn.force(request), null);
  }

  /** The work of one step on one lock. */
  private final class Turn {

    private final Session session;
    private final ResourceRow row;
    private final String resource;
    private boolean changed;

    /** Whether claims of other clients than the holder are known to wait. */
    private boolean othersWait;

    /** Whom to tell of its grant at the end, unless the answer does. */
    private @Nullable String granted;

    Turn(Session session, ResourceRow row, String resource) {
      this.session = session;
      this.row = row;
      this.resource = resource;
      this.changed = row.pullBack();
    }

    void begin() throws SQLException {
      queue.heard(session, row);
      forgetIfOver();
      admit();
    }

    /** Writes what has changed. */
    void finish() throws SQLException {
      String grantee = granted;
      if (grantee != null && (client.hints() || grantee.equals(client.id()))) {
        session.hint(new Hint.Granted(grantee, resource, toGrant(grantee)));
      }
      if (changed) {
        resources.saveLock(session, row);
      }
    }

    ClaimAnswer claim(ClaimRequest request, boolean isNew) throws SQLException {
      if (!row.isHeld() && !row.isClosed()) {
        grant(client.id(), List.of(request.claim()), request.tokens(), request.label());
        confirm(request.leaseMillis());
        return new ClaimAnswer.Granted(toGrant(client.id()));
      }
      boolean isGranted = isMine() && row.claims.contains(request.claim());
      if (isGranted && row.isClosed()) {
        free(); // it may have been over at the other server, and somebody else let in
      } else if (isGranted) {
        confirm(request.leaseMillis());
        return new ClaimAnswer.Granted(answer());
      }
      Queued place = isNew || isGranted ? null : place(request.claim());
      if (place == null && request.queue()) {
        place = enqueue(request);
      }
      return place == null ? new ClaimAnswer.Busy() : place;
    }

    ReleaseAnswer release(ReleaseRequest request, boolean isNew) throws SQLException {
      if (request.requeue() != null) {
        queue.heard(session, row);
      }
      forgetIfOver();
      boolean released =
          isMine() && row.grant == request.grant() && request.isAbout(row.firstToken);
      if (released) {
        row.lastToken = Math.min(row.lastToken, Math.max(request.usedToken(), row.firstToken - 1));
        free();
      }
      ClaimRequest requeue = request.requeue();
      Queued requeued = null;
      if (requeue != null && (isNew || !isKnown(requeue.claim()))) {
        requeued = enqueue(requeue);
      }
      admit();
      Grant next = isMine() ? answer() : null;
      return new ReleaseAnswer(released, next, stillWaits(requeue, requeued));
    }

    Boolean withdraw(long claim) throws SQLException {
      forgetIfOver();
      admit();
      ClaimRow waiting = waiting(claim);
      if (waiting != null) {
        queue.remove(session, row, waiting);
        changed = true;
      } else if (isMine() && row.claims.remove(claim)) {
        changed = true;
        if (row.claims.isEmpty()) {
          free();
          admit();
        }
      }
      return true;
    }

    RenewAnswer renew(RenewRequest request) throws SQLException {
      forgetIfOver();
      admit();
      boolean renewed = isMine() && row.grant == request.grant();
      if (renewed) {
        confirm(request.leaseMillis());
      }
      return new RenewAnswer(renewed, queue.hasOthers(session, row, client.id()));
    }

    LookAnswer look(long claim) throws SQLException {
      if (isMine()) {
        return row.isClosed() ? new LookAnswer.Gone() : new LookAnswer.Granted(answer());
      }
      Queued place = place(claim);
      if (place == null) {
        return new LookAnswer.Gone();
      }
      if (client.hints() && row.hasTokensToSpare) {
        ClaimRow first = queue.firstLive(session, row);
        if (first != null && first.arrival() == place.arrival()) {
          tellHolderThatItIsWanted();
        }
      }
      return place;
    }

    Forced force(ForceRequest request) throws SQLException {
      forgetIfOver();
      String holder = row.holder;
      boolean wasHeld = holder != null && request.isAbout(holder, row.grant, row.firstToken);
      if (wasHeld && holder != null) {
        session.hint(new Hint.Revoked(holder, resource));
        free();
      }
      admit();
      return new Forced(wasHeld);
    }

    private void confirm(long leaseMillis) {
      resources.allow(session, leaseMillis);
      row.confirm(leaseMillis);
      changed = true;
    }

    private void forgetIfOver() {
      if (row.isHeld() && row.isOver()) {
        free();
      }
    }

    private void free() {
      row.free();
      changed = true;
    }

    /** Lets the next run in, if nobody holds the lock. */
    private void admit() throws SQLException {
      if (row.isHeld() || row.isClosed() || row.waiting == 0) {
        return;
      }
      changed = true;
      Claims.Run next = queue.takeRun(session, row, Store.MAX_RUN);
      List<ClaimRow> run = next.claims();
      if (run.isEmpty()) {
        return;
      }
      ClaimRow first = run.get(0);
      long tokens = run.stream().mapToLong(ClaimRow::tokens).sum();
      List<Long> claims = run.stream().map(ClaimRow::claim).toList();
      grant(first.client(), claims, tokens, first.label());
      long millis = Math.min(first.leaseMillis(), first.deadlineMillis());
      resources.allow(session, millis);
      row.endAfter(Client.micros(millis));
      granted = first.client();
      othersWait = next.othersWait();
    }

    private void grant(String holder, List<Long> claims, long tokens, String label) {
      row.holder = holder;
      row.label = label;
      row.claims = new ArrayList<>(claims);
      row.grant = claims.get(0);
      row.firstToken = row.nextToken();
      row.lastToken = row.firstToken + tokens - 1;
      resources.saw(row.lastToken);
      row.hasTokensToSpare = tokens > claims.size();
      row.sinceMicros = row.nowMicros;
      row.endMicros = row.nowMicros;
      row.confirmed = false;
      changed = true;
      othersWait = false;
      granted = null;
    }

    private Queued enqueue(ClaimRequest request) throws SQLException {
      boolean firstOfOthers =
          client.hints()
              && row.hasTokensToSpare
              && row.isHeld()
              && !isMine()
              && !queue.hasOthers(session, row, String.valueOf(row.holder));
      queue.add(session, row, request);
      changed = true;
      if (firstOfOthers) {
        tellHolderThatItIsWanted();
      }
      return queued(row.lastArrival());
    }

    private void tellHolderThatItIsWanted() {
      String holder = row.holder;
      if (holder != null && row.hasTokensToSpare) {
        session.hint(new Hint.Wanted(holder, resource));
      }
    }

    /**
     * Returns where a requeued claim waits now, or null if it has been let in.
     *
     * @param queued where it was put a moment ago, or null if it was there already
     */
    private @Nullable Queued stillWaits(@Nullable ClaimRequest requeue, @Nullable Queued queued)
        throws SQLException {
      if (requeue == null || (isMine() && row.claims.contains(requeue.claim()))) {
        return null;
      }
      return queued == null ? place(requeue.claim()) : queued(queued.arrival());
    }

    private Queued queued(long arrival) {
      return new Queued(row.nowMicros, row.untilNextMicros(row.isHeld(), 0), arrival);
    }

    private boolean isMine() {
      return row.isHeldBy(client.id());
    }

    private boolean isKnown(long claim) throws SQLException {
      return (isMine() && row.claims.contains(claim)) || waiting(claim) != null;
    }

    private @Nullable ClaimRow waiting(long claim) throws SQLException {
      return row.waiting == 0 ? null : queue.find(session, row, client.id(), claim);
    }

    /** Returns where a claim of this client waits, or null if it does not. */
    private @Nullable Queued place(long claim) throws SQLException {
      ClaimRow waiting = row.isHeld() || row.isClosed() ? waiting(claim) : null;
      return waiting == null ? null : queued(waiting.arrival());
    }

    /** Returns the grant for the answer, which makes the hint of it needless. */
    private Grant answer() throws SQLException {
      granted = null;
      return toGrant(client.id());
    }

    private Grant toGrant(String holder) throws SQLException {
      return row.toGrant(othersWait || queue.hasOthers(session, row, holder));
    }
  }
}
